"""Stands for a relay that the nursery makes: hands over its streams, and ends as the relay does.

Run without site-packages, so that it starts at once: ``python -I -S relay_stub.py SOCKET [relay's arguments]``.
With ``WEBMCP_RELAY_PID_FILE`` in the environment, the relay's process id goes there.
"""

import json
import os
import signal
import socket
import sys


def main() -> None:
    """Ask, wait, end alike."""
    env = dict(os.environ)
    pid_file = env.pop("WEBMCP_RELAY_PID_FILE", None)
    with socket.socket(socket.AF_UNIX) as nursery:
        nursery.connect(sys.argv[1])
        request = json.dumps({"argv": sys.argv[2:], "cwd": os.getcwd(), "env": env})
        socket.send_fds(nursery, [request.encode()], [0, 1, 2])
        for stream in (0, 1):
            os.close(stream)  # the client hears the relay's end of these, not ours
        answers = nursery.makefile()
        pid = int(answers.readline())
        if pid_file:
            with open(pid_file, "w") as file:
                file.write(str(pid))
        nursery.sendall(b"!")
        for end in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(end, lambda number, _: os.kill(pid, number))
        status = int(answers.readline() or 0)
    os._exit(os.waitstatus_to_exitcode(status) % 256)


main()
