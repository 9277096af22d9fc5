/* edge_list.h -- what the parts of the edge list reader share.
 *
 * An edge list has a line for each edge: the names of two nodes and perhaps a weight, with comments
 * after #, % or //.  SNAP, KONECT, the Network Repository and the GAP suite each have a dialect of
 * it, whose lines are plain: numbers with blanks between, or one comma.  All others are delimited:
 * fields, perhaps in quotes, between which one byte stands, under a row of headings or not.
 *
 * Functions that can meet an error return false after spmv__text_fault (text.h). */
#pragma once

#include "formats/names/node_names.h"
#include "formats/text/fields.h"

enum { SPMV__SOURCE, SPMV__TARGET, SPMV__WEIGHT, SPMV__EDGE_FIELDS }; /* of an edge */

/* Facts about the edges that comments, headings and the first edge tell. */
typedef struct spmv__edges_header {
    bool konect;         /* begins with a line `% sym|asym|bip ...` */
    bool undirected;     /* every line stands for both directions */
    bool bipartite;      /* targets are numbered apart from sources */
    int columns;         /* numbers on a line: 2, 3 with a weight, 4 with a time that is ignored */
    int64_t base;        /* that ids count from */
    int64_t edges;       /* as declared, or -1 */
    int64_t sources;     /* number of them as declared, or -1; */
    int64_t targets;     /* the same as sources unless bipartite */
    int64_t first, last; /* ids of all nodes, as our own writer declares; or -1 */
    bool words;          /* names are words, not integers */
    bool words_declared; /* so a comment of our own writer says, and that there are no headings */
    int headings;        /* that the edges stand below; 0: there are none */
    int heading_fields;  /* the same with empty ones at the end */
    bool known;          /* they name the two nodes of an edge */
    unsigned by_heading; /* a bit for each of SPMV__EDGE_FIELDS that is so by its heading */
    bool attributes;     /* the third field is a dictionary, as networkx.write_edgelist has it */
    char delimiter;      /* between fields; 0: the lines are plain */
    int field[SPMV__EDGE_FIELDS]; /* of delimited lines: which column it is; -1: none */
    int fields;                   /* on a delimited line; 0: as many as one likes */
} spmv__edges_header;

/* Whether the source is the first column and the target the second, as quick readers take them. */
static inline bool spmv__edges_in_order(const spmv__edges_header *header)
{
    return header->field[SPMV__SOURCE] == 0 && header->field[SPMV__TARGET] == 1;
}

/* A file while it is read. */
typedef struct spmv__edges_reader {
    const spmv__source *src;
    const spmv_read_options *options;
    spmv__edges_header header;
    spmv__text text;
    spmv__text body;           /* the same where the first edge stands */
    spmv__field heading[2];    /* of the nodes, where there are headings */
    spmv__node_names *names;   /* of nodes that are words; NULL before the first */
    const unsigned char *word; /* where what is no id was met, though all others were; or NULL */
    bool doubtful;             /* it is no word either, but may be one among others */
    spmv__text doubt;          /* what was wrong with it, once words are expected; else all 0 */
    bool quoted;               /* and what only quotes tell from an id was met since */
} spmv__edges_reader;

/* Whether options or headings say which columns count: there may be others. */
static inline bool spmv__edges_are_chosen(const spmv__edges_reader *reader)
{
    return reader->options->columns != NULL || reader->header.by_heading != 0;
}

/* Edges in the order of the file, ids from base 0. */
typedef struct spmv__edges {
    int64_t *row, *col; /* [room] */
    double *val;        /* [room], NULL for a pattern */
    int64_t room;
    int64_t n;       /* stored */
    int64_t skipped; /* left out, as one of their ids cannot be */
    bool weighted;   /* of edges with attributes: one has a weight */
} spmv__edges;

/* The range of the ids of edges, from base 0, and how many edges are loops. */
typedef struct spmv__edges_extent {
    int64_t rows, cols; /* one more than the largest */
    int64_t smallest;
    int64_t loops;
} spmv__edges_extent;

/* How many nodes there are at least, as ids say and as is declared. */
int64_t spmv__edges_shape(const spmv__edges_header *header, const spmv__edges_extent *e);

/* Read what stands before the first edge, and of that what it looks like.  The caller closes the
 * reader in any case. */
bool spmv__edges_open(spmv__edges_reader *reader, const spmv__source *src,
                      const spmv_read_options *options);

/* Returns whether this is Matrix Market text without its banner, of that size: rows, columns,
 * entries. */
bool spmv__edges_are_bare(const spmv__edges_reader *reader, int64_t size[3]);

/* Returns whether the first of so many edges may say how many nodes and edges there are: as many
 * edges follow, with no more nodes, and no header says it. */
bool spmv__edges_are_announced(const spmv__edges_reader *reader, int64_t nodes, int64_t edges);

int64_t spmv__edges_count_lines(const unsigned char *p, const unsigned char *end);

/* Read edges until the text ends or `room` of them were given.  Words are numbered as they come. */
bool spmv__edges_read(spmv__edges_reader *reader, spmv__edges *edges);

void spmv__edges_close(spmv__edges_reader *reader);

/* Begin again where the first edge stands. */
void spmv__edges_rewind(spmv__edges_reader *reader);

/* Begin again after reader->word: with delimited lines, where it is in quotes and all were plain;
 * else with words for names. */
void spmv__edges_expect_more(spmv__edges_reader *reader);

/* Whether the beginning of a text is an edge list: see file_format.h. */
bool spmv__edges_resemble(const unsigned char *data, int64_t size,
                          const spmv_read_options *options);
bool spmv__edges_are_likely(const unsigned char *data, int64_t size,
                            const spmv_read_options *options);

/* Take the facts from a comment before the first edge, or after it; user is the header. */
void spmv__edges_take_comment(void *user, const unsigned char *p, const unsigned char *end);

/* Returns whether a text says in its first line that it is one of KONECT. */
bool spmv__edges_are_konect(const unsigned char *data, int64_t size);
void spmv__edges_take_late_comment(void *user, const unsigned char *p, const unsigned char *end);

/* Note lines from `from` to the one at text->p that were passed as comments, and have as many
 * fields as an edge: names may begin as comments do. */
void spmv__edges_note_rows(spmv__edges_reader *reader, const unsigned char *from);

/* Over comments, also those after //, to the start of an edge.  False at the end of the text. */
bool spmv__edges_next(spmv__text *text);

/* ---- Delimited lines ------------------------------------------------------------------------ */

/* The name at text->p of a plain line; # and % begin no comment in the middle of it. */
spmv__field spmv__edges_name(const spmv__text *text);

bool spmv__edges_read_delimited(spmv__edges_reader *reader, spmv__edges *edges);

/* The number of the node that a field names, from base 0.  One that cannot be is left out together
 * with its edge (*outside), or is a fault. */
bool spmv__edges_node(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      int64_t *out, bool *outside);

/* Note what is no id, where names may be words; the caller faults. */
void spmv__edges_meet_word(spmv__edges_reader *reader, const unsigned char *place, bool doubtful);

/* Over the dictionary at text->p to its end.  Where it has a weight, that is *weight, and *weighted
 * is set. */
bool spmv__edges_attributes(spmv__text *text, double *weight, bool *weighted);

/* ---- Order and numbers ---------------------------------------------------------------------- */

/* Bring the edges of *A, all of ids below its rows and columns, into the order of COO; those of an
 * undirected graph into the lower triangle before.  Messages call nodes that are words by labels.
 */
spmv_status spmv__edges_order(spmv__edges_reader *reader, spmv_coo *A, const spmv_labels *labels,
                              int64_t *merged, spmv_error *err);

/* Number the nodes that occur in *A, which is square and in order, by ascending id; *labels gets
 * their ids, counted from base.  Scratch: a quarter of a byte for each id up to the largest, or,
 * where these are many more than edges, 32 bytes per edge. */
spmv_status spmv__edges_number(spmv_coo *A, int64_t base, spmv_labels *labels, spmv_error *err);
