{"source": 1, "target": 2}
{"source": 2, "target": 3}
