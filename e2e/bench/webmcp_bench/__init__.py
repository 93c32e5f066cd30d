"""The benchmark: what a fresh browser, a call and a recycled worker cost, beside the peers that do the same.

Each contestant is measured in the same run, in turn with the others: one warm-up, then rounds whose order
rotates; a value is the median over the rounds. Times are for comparing on one machine, not across machines.
"""
