# Ids: 1 to 3
