# Names: words
10 9
source target
9 10
