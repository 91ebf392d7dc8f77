import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

received = []


class Application(BaseHTTPRequestHandler):
    """Stands for your application, which receives webhooks on a port of this machine."""

    def do_POST(self):
        received.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class EmulatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The container is not this machine: on 127.0.0.1 it could not be reached.
        cls.application = ThreadingHTTPServer(("0.0.0.0", 0), Application)
        threading.Thread(target=cls.application.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.application.server_close)
        cls.addClassCleanup(cls.application.shutdown)
        container = (
            DockerContainer("registry.example.com/payment-order-emulator:0.1.0")
            .with_exposed_ports(4600)
            # From inside the container, this machine is host.docker.internal.
            .with_kwargs(extra_hosts={"host.docker.internal": "host-gateway"})
            .waiting_for(HttpWaitStrategy(4600, "/_emulator/health"))
        )
        container.start()
        cls.addClassCleanup(container.stop)
        cls.emulator = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4600)}"

    def setUp(self):
        # An isolated client for each test. Your application gets its credentials, and emulator as the base URL.
        received.clear()
        port = self.application.server_port
        webhook_url = f"http://host.docker.internal:{port}/webhooks"
        self.client = self.control("/clients", {"webhookUrl": webhook_url, "clock": {"mode": "manual"}})

    def test_an_order_that_fails_is_told_by_its_webhooks(self):
        client_id = self.client["clientId"]
        order = {"clientId": client_id, "fiatAmount": "10.00", "scenario": "fail-9004"}
        self.control("/orders", order)
        self.control(f"/clock/advance?clientId={client_id}", {"by": "1m"})
        self.assertEqual([webhook["orderStatus"] for webhook in received], ["CREATED", "FAILED"])

    def control(self, path, body):
        headers = {"content-type": "application/json"}
        request = Request(f"{self.emulator}/_emulator{path}", json.dumps(body).encode(), headers)
        with urlopen(request) as answer:
            return json.load(answer)


if __name__ == "__main__":
    unittest.main()
