0 1
alice 2
