#!/bin/bash
# NetworkX writes a key for each type that weights have; an edge says that it is directed in any way of XML.
spmv-convert --check "$TESTDATA/graphs/weights.graphml" 2>/dev/null || exit 77
cat >keys.graphml <<'G'
<graphml><key id="d1" for="edge" attr.name="weight" attr.type="double"/>
<key id="d0" for="edge" attr.name="weight" attr.type="long"/>
<graph edgedefault="undirected">
<edge source="a" target="b" directed="1"><data key="d0">1</data></edge>
<edge source="a" target="c" directed="true"><data key="d1">0.25</data></edge>
<edge source="b" target="a" directed="1"><data key="d0">5</data></edge></graph></graphml>
G
spmv-convert keys.graphml --to el
sed 's/directed="[a-z0-9]*"//; s/"undirected"/"directed"/' keys.graphml | spmv-convert - --to el | tail -n +2
sed 's/directed="[a-z0-9]*"/directed="0"/' keys.graphml | spmv-convert - --to el | grep -c .
