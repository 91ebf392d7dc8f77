"""Instead of a container: the emulator that runs at EMULATOR_URL."""

import os
from urllib.parse import urlsplit
from urllib.request import urlopen

URL = os.environ["EMULATOR_URL"]


class DockerContainer:
    def __init__(self, image):
        self.ports, self.hosts, self.wait = (), {}, None

    def with_exposed_ports(self, *ports):
        self.ports = ports
        return self

    def with_kwargs(self, extra_hosts):
        self.hosts = extra_hosts
        return self

    def waiting_for(self, strategy):
        self.wait = strategy
        return self

    def start(self):
        assert self.hosts == {"host.docker.internal": "host-gateway"}
        assert self.wait.port in self.ports
        assert urlopen(URL + self.wait.path).status == 200
        return self

    def stop(self):
        pass

    def get_container_host_ip(self):
        return urlsplit(URL).hostname

    def get_exposed_port(self, port):
        return urlsplit(URL).port
