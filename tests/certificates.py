"""Throwaway certificates, made when a test runs."""

from dataclasses import dataclass
from pathlib import Path

import trustme


@dataclass(frozen=True)
class Pair:
    """A certificate with its chain, and its key, as files."""

    cert: Path
    key: Path


class Authority:
    """A certificate authority of its own; what it issues lies in `folder`."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self._ca = trustme.CA()
        self._folder = folder
        self.cert = folder / f"{name}.pem"
        self._ca.cert_pem.write_to_path(str(self.cert))

    def issue(self, stem: str, *names: str) -> Pair:
        """A certificate for these names (this machine's unless given); one that is there already is replaced."""
        issued = self._ca.issue_cert(*(names or ("localhost", "127.0.0.1")))
        pair = Pair(self._folder / f"{stem}.crt", self._folder / f"{stem}.key")
        issued.private_key_pem.write_to_path(str(pair.key))
        pair.cert.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
        return pair
