class HttpWaitStrategy:
    def __init__(self, port, path="/"):
        self.port, self.path = port, path
