"""The wheel in the hands of somebody who has nothing else."""
