"""The extension protocol (host and provider), mirrored from ``extensions/contract/lumo*.ts``."""
