class WhyNoPartitionReporter:
    def report_reject(self, node, reason):
        pass
