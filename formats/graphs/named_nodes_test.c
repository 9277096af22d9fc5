/* named_nodes_test.c -- edge lists whose nodes are words, their columns and headings, and labels
 * and scores by word. */
#include "core/base/random.h"
#include "formats/names/node_names.h"
#include "formats/common/name.h"
#include "formats/text/locale_test.h"
#include "formats/text/read_text_test.h"

#include <ctype.h>
#include <unistd.h>

static char path[96];

static void name_path(const char *suffix)
{
    snprintf(path, sizeof path, "/tmp/spmv-names-%ld%s", (long)getpid(), suffix);
}

static outcome read_edges(const char *text, const spmv_read_options *options)
{
    return read_bytes_as(&spmv__edges_file, text, strlen(text), options);
}

static const char *name_of(const spmv_labels *labels, int64_t i)
{
    static char text[SPMV_LABEL_SIZE];
    return spmv_label_text(labels, i, text);
}

static void release(outcome *o)
{
    spmv_labels_destroy(&o->info.labels);
    spmv_destroy(&o->A);
}

/* `names` are those of all nodes in their order, with a bar between. */
static void assert_graph(const char *text, const spmv_read_options *options, const char *names,
                         const char *entries)
{
    char all[300] = "";
    outcome o = read_edges(text, options);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%lld:%lld %s\n%s", (long long)o.err.line,
                 (long long)o.err.column, o.err.message, text);
    o.info.labels.n = o.A.head.rows;
    for (int64_t i = 0; i < o.A.head.rows; i++) {
        if (i > 0) strcat(all, "|");
        strcat(all, name_of(&o.info.labels, i));
    }
    cr_assert_str_eq(all, names, "%s", text);
    assert_entries(&o.A, entries);
    release(&o);
}

static void assert_refused(const char *text, const spmv_read_options *options, int64_t line,
                           int64_t column, const char *message)
{
    outcome o = read_edges(text, options);
    cr_assert_neq(o.status, SPMV_SUCCESS, "%s", text);
    cr_assert_not_null(strstr(o.err.message, message), "%s", o.err.message);
    cr_assert(o.err.line == line && o.err.column == column, "%lld:%lld for\n%s",
              (long long)o.err.line, (long long)o.err.column, text);
    spmv_labels_destroy(&o.info.labels);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

Test(named_nodes, words_are_numbered_by_their_bytes)
{
    assert_graph("b a\na c\n", NULL, "a|b|c", "1 3 1; 2 1 1");
    assert_graph("b a\nB aa\n\xc3\xa9 b\n", NULL, "B|a|aa|b|\xc3\xa9", "1 3 1; 4 2 1; 5 4 1");
    assert_graph("abcdefgh abcdefghi\nabcdefghi abcdefg\n", NULL, "abcdefg|abcdefgh|abcdefghi",
                 "2 3 1; 3 1 1");
    assert_graph("9 10\n10 x\n", NULL, "10|9|x", "1 3 1; 2 1 1");
}

Test(named_nodes, fields_are_what_stands_between_delimiters)
{
    const spmv_read_options bar = {.delimiter = '!'}, comma = {.delimiter = ','},
                            blank = {.delimiter = ' '};
    assert_graph("a , b b ,2\n b b,a, 3 \n", NULL, "a|b b", "1 2 2; 2 1 3");
    assert_graph("a\tb c\nb c\ta\n", NULL, "a|b c", "1 2 1; 2 1 1");
    assert_graph("a!b,c\nb,c!a\n", &bar, "a|b,c", "1 2 1; 2 1 1");
    assert_graph("1,2\n2,30\n", &comma, "1|2|30", "1 2 1; 2 3 1");
    assert_graph("a,b c,d\n", &blank, "a,b|c,d", "1 2 1");
    assert_graph("\"a\"\"b\",\"c,d\"\r\n\"c,d\",e\r\n", NULL, "a\"b|c,d|e", "1 2 1; 2 3 1");
    assert_graph("\"1\";\"2\";\"0,5\"\n", &(spmv_read_options){.columns = "1,2"}, "1|2", "1 2 1");
    assert_graph("a b # one\n# two\n// three\n\nb c % four\n", NULL, "a|b|c", "1 2 1; 2 3 1");
    assert_graph("a,#b\n\"#b\",c\n", NULL, "#b|a|c", "1 3 1; 2 1 1");
    assert_graph("0%,b\n1#,2%\n", NULL, "0%|1#|2%|b", "1 4 1; 2 3 1");
    assert_graph("0% b\n", NULL, "0%|b", "1 2 1");
    assert_graph("0,1\n4#7,1\n", NULL, "0|1|4#7", "1 2 1; 3 2 1");
    assert_graph("0 1 #7\n", NULL, "0|1", "1 2 1");
    assert_graph("/usr/a /usr/b\n", NULL, "/usr/a|/usr/b", "1 2 1");
    assert_graph("a,b,{'weight': 2}\nb,c", NULL, "a|b|c", "1 2 2; 2 3 1");
    assert_graph("a,b,{}\nb,c,", NULL, "a|b|c", "1 2 1; 2 3 1");
    assert_refused("a!b\n", &comma, 1, 1, "holds 1 field");
}

Test(named_nodes, headings_are_told_from_edges)
{
    const spmv_read_options yes = {.headings = SPMV_HEADINGS_YES},
                            none = {.headings = SPMV_HEADINGS_NONE};
    assert_graph("source,target\na,b\n", NULL, "a|b", "1 2 1");
    assert_graph("source,target\na,b\n", &none, "a|b|source|target", "1 2 1; 3 4 1");
    assert_graph("who,whom\na,b\n", NULL, "a|b|who|whom", "1 2 1; 3 4 1");
    assert_graph("who,whom\na,b\n", &yes, "a|b", "1 2 1");
    assert_graph("who whom\n1 2\n", NULL, "1|2", "1 2 1");
    assert_graph("who whom\n1 2\n", &none, "1|2|who|whom", "1 2 1; 3 4 1");
    assert_graph("who;whom;much\na;b;2\n", NULL, "a|b", "1 2 2");
    assert_graph("a;b;1\nb;c;2\n", NULL, "a|b|c", "1 2 1; 2 3 2");
    assert_graph("1 2\n2 3\n", &yes, "2|3", "1 2 1");
    assert_graph("source\ttarget\tweight\n1\t0,5\t3\n", NULL, "0,5|1", "2 1 3");
    assert_graph("source\ttarget\n,\t2\n1\t3,4\n", NULL, ",|1|2|3,4", "1 3 1; 2 4 1");
    assert_graph("source,target\n1 2,3\n", NULL, "1 2|3", "1 2 1");
    assert_graph("source,target\n1 , 3\n", NULL, "1|3", "1 2 1");
    assert_graph("# Names: words\nsource target\n", NULL, "source|target", "1 2 1");
    assert_refused("A,B,5 km\na,b,2\n", NULL, 1, 5, "and `headings` that this line names them");
    assert_refused("A,B,2\na,b,5 km\n", NULL, 2, 5,
                   "'5 km' is not a weight; `columns` says which "
                   "columns count");
}

Test(named_nodes, headings_are_known_whatever_stands_between_their_letters)
{
    const spmv_read_options none = {.headings = SPMV_HEADINGS_NONE};
    assert_graph(":START_ID,:END_ID\na,b\n", NULL, "a|b", "1 2 1");
    assert_graph("Target Node,Source-Node\na,b\n", NULL, "a|b", "2 1 1");
    assert_graph("child,parent\na,b\n", NULL, "a|b", "1 2 1");
    assert_graph("SourceID,TargetID\na,b\n", &none, "SourceID|TargetID|a|b", "1 2 1; 3 4 1");
    assert_graph("sources,target\na,b\n", NULL, "a|b|sources|target", "1 2 1; 3 4 1");
}

/* The small letter of I has no dot there. */
Test(named_nodes, headings_in_capitals_are_known_in_turkey)
{
    locale_test_use("tr_TR");
    cr_assert_neq(tolower('I'), 'i');
    assert_graph("CITED,CITING\na,b\n", NULL, "a|b", "2 1 1");
    assert_graph("from,WEIGHT,to\na,2,b\n", &(spmv_read_options){.columns = "from,to,Weight"},
                 "a|b", "1 2 2");
}

/* A word above numbers that nobody asked for is no proof. */
Test(named_nodes, headings_that_may_be_an_edge_are_told_of)
{
    const spmv_read_options first = {.columns = "1,2"};
    outcome o = read_edges("one,other,score\na,b,0.5\n", &first);
    cr_assert(o.status == SPMV_SUCCESS && o.A.head.nnz == 2 && o.warnings.n == 1);
    cr_assert_not_null(strstr(o.warnings.list[0].message, "may be headings"));
    release(&o);
    assert_graph("a,b,NA\nc,d,0.5\n", &first, "a|b|c|d", "1 2 1; 3 4 1");
    o = read_edges("a,b,3,u\nc,d,0.5,4\n", &first);
    cr_assert(o.status == SPMV_SUCCESS && o.A.head.nnz == 2 && o.warnings.n == 0);
    release(&o);
    assert_graph("x,y,high\na,b,0.5\n", &(spmv_read_options){.columns = "1,2,3"}, "a|b", "1 2 0.5");
}

/* One field more is the name of a row where headings are asked for, and a mistake elsewhere. */
Test(named_nodes, lines_have_as_many_fields_as_headings)
{
    const spmv_read_options named = {.columns = "from,to"}, numbers = {.columns = "2,3"};
    assert_graph("\"from\" \"to\"\n\"1\" \"a\" \"b\"\n", &named, "a|b", "1 2 1");
    assert_graph("\"from\" \"to\"\n\"1\" \"a\" \"b\"\n", &numbers, "a|b", "1 2 1");
    assert_graph("\"from\" \"to\"\n\"1\" 20 30\n", &named, "20|30", "1 2 1");
    assert_refused("a b\na b c\n", &numbers, 1, 4, "ends after 2 fields of at least 3");
    assert_graph("from,to,n\nr,a,b,4\ns,b,a,5\n", &(spmv_read_options){.columns = "to,from,n"},
                 "a|b", "1 2 5; 2 1 4");
    assert_graph("from,to,\na,b,\n", &named, "a|b", "1 2 1");
    /* A blank heading is one, too. */
    assert_graph("from,to,\na,b,x\n", &named, "a|b", "1 2 1");
    assert_graph("from,to,,\n1,3,4,\n", &named, "1|3", "1 2 1");
    assert_graph("from,to,\n5,0,1.5\n", NULL, "0|5", "2 1 1.5");
    assert_refused("from to\n1 20 30\n", NULL, 2, 1, "3 fields below 2 headings");
    assert_refused("from,to,n\n1,20\n", NULL, 2, 1, "2 fields below 3 headings");
    assert_refused("from,to\n1,2,a,b\n", &named, 2, 1, "4 fields below 2 headings");
    assert_refused("t,from,to\nx,a,b\ny,z,a,b\n", &named, 3, 7, "where the first has 3 fields");
    assert_refused("from,to,t\na,b,x\na,b\n", &named, 3, 4, "2 fields, where the first has 3");
    assert_graph("a b c\na c d e\n", &(spmv_read_options){.columns = "1,2"}, "a|b|c",
                 "1 2 1; 1 3 1");
}

/* Below headings, or behind the comment that writing leaves, an arrow may be a node. */
Test(named_nodes, an_arrow_is_no_node_by_accident)
{
    assert_refused("a -> b\n", NULL, 1, 3, "an arrow stands where a node");
    assert_graph("source,target,weight\na,->,2\n", NULL, "->|a", "2 1 2");
    assert_graph("# Names: words\na -> 2\n", NULL, "->|a", "2 1 2");
    assert_graph("a \"->\" 2\n", NULL, "->|a", "2 1 2");
}

/* As of telephones; ids alone may have one. */
Test(named_nodes, a_plus_makes_a_word)
{
    const spmv_read_options ids = {.all_ids = true};
    assert_graph("source,target\n+491,+492\n+492,491\n", NULL, "+491|+492|491", "1 2 1; 2 3 1");
    assert_graph("+1 +2\n", NULL, "+1|+2", "1 2 1");
    assert_graph("+1 +2\n", &ids, "0|1|2", "2 3 1");
}

/* As pandas and R write tables: an empty heading above the names of rows, or none. */
Test(named_nodes, names_of_rows_are_no_nodes)
{
    assert_graph(",source,target,weight\n0,a,b,1.5\n1,b,a,2\n", NULL, "a|b", "1 2 1.5; 2 1 2");
    assert_graph(",weight,target,source\n0,2,b,a\n", NULL, "a|b", "1 2 2");
    assert_graph("\"\",\"from\",\"to\"\n\"1\",7,9\n\"2\",9,7\n", NULL, "7|9", "1 2 1; 2 1 1");
    assert_graph("\"from\"\t\"to\"\n\"1\"\t7\t9\n", NULL, "7|9", "1 2 1");
    assert_graph("\"from\" \"to\" \"n\"\n\"1\" \"a\" \"b\" 3\n", NULL, "a|b", "1 2 3");
    assert_refused("source,target\n1,2,5\n", NULL, 2, 1, "3 fields below 2 headings");
    assert_refused("source,target\n\"Smith, J\",Doe,3\n", NULL, 2, 1, "3 fields below 2 headings");
    assert_refused("\"source\",\"target\"\n\"a\",\"b\",3\n", NULL, 2, 1, "3 fields below");
    assert_refused(",source,target\n0,1,2,9\n", NULL, 2, 1, "4 fields below 3 headings");
    assert_refused("one,two\n\"1\",a,b\n", NULL, 2, 7, "where the first has 2 fields");
    assert_refused("\"\",\"x\",\"y\"\n\"1\",634,688\n", NULL, 1, 1,
                   "first of 3 columns has no heading");
    assert_refused(",a,b\na,0,1\nb,1,0\n", NULL, 1, 1, "first of 3 columns has no heading");
    assert_graph(",x,y\n0,7,9\n", &(spmv_read_options){.columns = "x,y"}, "7|9", "1 2 1");
    assert_graph(",to\n7,9\n", NULL, "7|9", "1 2 1");
    assert_refused(",source,target,n\n0,a,b,4\n", NULL, 2, 1, "holds 4 fields");
    assert_refused(",source,target\n0,a,b\n1,a\n", NULL, 3, 4, "ends after 2 fields");
}

Test(named_nodes, a_field_in_quotes_may_not_go_on_in_the_next_line)
{
    const spmv_read_options named = {.columns = "source,target"}, numbers = {.columns = "1,2"};
    const char *text = "source,target,text\n1,2,\"on page\n3,4, then 5\"\n5,6,fine\n";
    assert_refused(text, &named, 2, 5, "quotes are not closed");
    assert_refused("a b \"RT\nx y z\"\n", &numbers, 1, 5, "quotes are not closed");
    assert_graph("1,2,\"3,4\"\n", &numbers, "1|2", "1 2 1");
    assert_refused("ann,bob,\"note\nline two, with, commas\"\n", &numbers, 1, 9, "not closed");
    /* Elsewhere what nobody asked for is free. */
    assert_graph("a b {'label': \"O'Brien\"}\nc d {'label': 'x'}\n", &numbers, "a|b|c|d",
                 "1 2 1; 3 4 1");
    assert_graph("1 2 he said \"yes\".\n2 3 5\" pipe \"x\"y\n", &numbers, "1|2|3", "1 2 1; 2 3 1");
    assert_graph("a\tb\t5\" pipe\tx\nc\td\t\"big\" pipe\ty\n", &numbers, "a|b|c|d", "1 2 1; 3 4 1");
    assert_graph("a,b,\"x\"\",y\"\nc,d,\"\"\n", &numbers, "a|b|c|d", "1 2 1; 3 4 1");
}

Test(named_nodes, the_first_line_may_say_what_separates_fields)
{
    const spmv_read_options bar = {.delimiter = '|'};
    assert_graph("sep=;\na,1;b,2;3\n", NULL, "a,1|b,2", "1 2 3");
    assert_graph("\xef\xbb\xbfSEP=,\r\nsource,target\r\na,b\r\n", NULL, "a|b", "1 2 1");
    assert_graph("sep=;\na;b|c\n", &bar, "a;b|c", "1 2 1");
    assert_graph("sep=;x y\n", NULL, "sep=|x y", "1 2 1");
}

Test(named_nodes, weights_may_be_those_of_numpy)
{
    assert_graph("a b {'weight': np.float64(3.5)}\nb c {'weight': np.int64(2) }\n", NULL, "a|b|c",
                 "1 2 3.5; 2 3 2");
    assert_refused("a b {'weight': np.float64(x)}\n", NULL, 1, 27, "'x' is not a number");
}

/* Names may begin as comments do, and headings stand among edges. */
Test(named_nodes, what_may_have_been_meant_otherwise_is_told_of)
{
    outcome o = read_edges("source,target\n#a,#b\nx,y\n# a remark\n//u,v\n%1,2,3\n%1,2\n", NULL);
    cr_assert(o.status == SPMV_SUCCESS && o.A.head.nnz == 1, "%s", o.err.message);
    cr_assert_eq(o.warnings.n, 1);
    cr_assert_eq(o.warnings.list[0].line, 2);
    cr_assert_not_null(strstr(o.warnings.list[0].message, "3 times, first here"));
    release(&o);
    o = read_edges("who,whom\n1,2\n", NULL);
    cr_assert(o.status == SPMV_SUCCESS && o.warnings.n == 0, "%s", o.err.message);
    release(&o);
    o = read_edges("source,target\na,b\nsource,target\nb,c\n", NULL);
    cr_assert(o.status == SPMV_SUCCESS && o.A.head.nnz == 3, "%s", o.err.message);
    cr_assert_eq(o.warnings.n, 1);
    cr_assert_not_null(strstr(o.warnings.list[0].message, "the headings are an edge, too"));
    release(&o);
    o = read_edges("source,target\n#1,2\n1,2\n", NULL);
    cr_assert(o.status == SPMV_SUCCESS && o.info.headings && o.warnings.n == 0);
    release(&o);
}

Test(named_nodes, columns_are_chosen_by_number_or_heading)
{
    const spmv_read_options numbers = {.columns = "3,1"}, headings = {.columns = "to,From,n"},
                            weighted = {.columns = "2,3,1"}, quoted = {.columns = "\"a,b\",c"};
    assert_graph("9,x,1\n8,y,2\n", &numbers, "1|2|8|9", "1 4 1; 2 3 1");
    assert_graph("id\tfrom\tto\tn\n7\ta\tb\t5\n", &headings, "a|b", "2 1 5");
    assert_graph("\tfrom\tto\tn\n7\ta\tb\t5\n", &headings, "a|b", "2 1 5");
    assert_graph(",from,to,n,\n0,a,b,5,\n", &headings, "a|b", "2 1 5");
    assert_graph("4 a b and more\n5 b c\n", &weighted, "a|b|c", "1 2 4; 2 3 5");
    assert_graph("\"a,b\",c\nd,e\n", &quoted, "d|e", "1 2 1");
    assert_refused("a,b\n", &(spmv_read_options){.columns = "1"}, 0, 0, "SOURCE,TARGET");
    assert_refused("a,b\n", &(spmv_read_options){.columns = "1,2,3,4"}, 0, 0, "SOURCE,TARGET");
    static const char *const no_lists[] = {"", ",", "a,", "a,b,", ",b"};
    for (int i = 0; i < 5; i++)
        assert_refused("a,b\n", &(spmv_read_options){.columns = no_lists[i]}, 0, 0,
                       "SOURCE,TARGET");
    assert_refused("a,b\n", &(spmv_read_options){.columns = "0,1"}, 0, 0, "not 0");
    assert_refused("a,b\n", &(spmv_read_options){.columns = "1,99999999999999999999"}, 0, 0,
                   "`columns` are 1 to 65536");
    assert_refused("a,b\n", &(spmv_read_options){.columns = "a,z"}, 1, 1,
                   "no column is called 'z'");
    assert_refused("a,b\n1,2\n3\n", &(spmv_read_options){.columns = "a,b"}, 3, 2, "at least 2");
    assert_refused("a,b\n1,2\n",
                   &(spmv_read_options){.columns = "a,b", .headings = SPMV_HEADINGS_NONE}, 1, 1,
                   "says that there are none");
}

Test(named_nodes, a_word_among_integers_makes_words_of_all)
{
    const spmv_read_options all = {.all_ids = true}, strict = {.strict = true};
    const spmv_read_options again = {.duplicates = SPMV_DUPLICATES_ERROR};
    assert_graph("10 9\n9 x\n", NULL, "10|9|x", "1 2 1; 2 3 1");
    assert_graph("10 9\n\"9\" 3\n", NULL, "3|9|10", "2 1 1; 3 2 1");
    assert_graph("10 9\n\"9\" 3\n3 x\n", NULL, "10|3|9|x", "1 3 1; 2 4 1; 3 2 1");
    outcome o = read_edges("10 9 1\n9 x 2\n", NULL);
    cr_assert(o.status == SPMV_SUCCESS && o.warnings.n == 1 && o.info.smallest_id == -1);
    cr_assert(o.warnings.list[0].line == 2 && o.warnings.list[0].column == 3);
    release(&o);
    assert_refused("10 9\n9 x\n", &strict, 2, 3, "read as words");
    assert_refused("10 9\n9 x\n", &all, 2, 3, "ids are integers with `all_ids`");
    assert_refused("% asym\n1 2\n2 x\n", NULL, 3, 3, "'x' is not a node");
    assert_refused("a b\n", &all, 1, 1, "'a' is not a node: ids are integers with `all_ids`");
    assert_refused("# Names: words\na b\n", &all, 2, 1, "ids are integers with `all_ids`");
    assert_refused("% sym\n% 1 9 9\na b\n", &(spmv_read_options){.columns = "1,2"}, 3, 1,
                   "'a' is not a node");
    assert_graph("1 0\n6 -1\nx 2\n", NULL, "-1|0|1|2|6|x", "3 2 1; 5 1 1; 6 4 1");
    assert_graph("1 0\n6 1.5\nx 18446744073709551616\n", NULL, "0|1|1.5|18446744073709551616|6|x",
                 "2 1 1; 5 3 1; 6 4 1");
    assert_graph("1,2\n2,3 apples\n", NULL, "1|2|3 apples", "1 2 1; 2 3 1");
    assert_refused("1,2\n2,3 4\n", NULL, 2, 5, "the line goes on");
    assert_refused("1 2\n2 -3\n", NULL, 2, 3, "less than 0");
    assert_refused("1 2\n2 -3\nx y z\n", NULL, 2, 3, "less than 0");
    assert_refused("a b\nb c\na b\n", &again, 3, 1, "the edge from a to b is repeated");
}

/* A number with decimals is likely a weight in the wrong place, but not in quotes; what only begins
 * like one is a word. */
Test(named_nodes, numbers_that_are_no_integers_are_names_in_quotes)
{
    assert_graph("\"1\",\"2\"\n\"1.5\",\"3\"\n", NULL, "1|1.5|2|3", "1 3 1; 2 4 1");
    assert_graph("1,2\n2,\"1.5\"\n", NULL, "1|1.5|2", "1 3 1; 3 2 1");
    assert_graph("1,2\n2,1.5\n\"2.5\",1\n", NULL, "1|1.5|2|2.5", "1 3 1; 3 2 1; 4 1 1");
    assert_graph("\"1.5\",2\n1.5,3\n", NULL, "1.5|2|3", "1 2 1; 1 3 1");
    assert_graph("10.0.0.1 10.0.0.2\n10.0.0.2 7\n", NULL, "10.0.0.1|10.0.0.2|7", "1 2 1; 2 3 1");
    assert_graph("1,2\n2,1.5\n2020-01-02,1\n", NULL, "1|1.5|2|2020-01-02", "1 3 1; 3 2 1; 4 1 1");
    assert_refused("1,2\n2,1.5\n", NULL, 2, 3, "`columns` says which columns count, and quotes");
    assert_refused("\"1\",\"2\"\n\"2\",1.5\n", NULL, 2, 5, "'1.5' is not a node");
    assert_refused("% asym\n1 2\n2 \"1.5\"\n", NULL, 3, 3, "is not a node: ids are integers");
}

/* Only a dictionary begins with a brace in the place of a node, and any third field does. */
Test(named_nodes, names_may_begin_with_a_brace)
{
    assert_graph("{6F-8B},b\n", NULL, "b|{6F-8B}", "2 1 1");
    assert_graph("{6F,8B};x;{y}\n", &(spmv_read_options){.columns = "1,3"}, "{6F,8B}|{y}", "1 2 1");
    assert_graph("{a} {b} {'weight': 4, 'x': 1}\n", NULL, "{a}|{b}", "1 2 4");
    assert_graph("{a}\t{b}\t2\n{b}\tc\t3\n", NULL, "c|{a}|{b}", "2 3 2; 3 1 3");
    assert_refused("{\"source\": 1, \"target\": 2}\n", NULL, 1, 1, "a dictionary stands where");
    assert_refused("{ 'a': 1, 'b': 2}\n", NULL, 1, 1, "a dictionary stands where");
    assert_refused("{\n\"a\": 1\n}\n", NULL, 1, 1, "a dictionary stands where");
    assert_refused("a {}\n", NULL, 1, 3, "a dictionary stands where");
    assert_refused("a b {x: 1, y: 2}\n", NULL, 1, 6, "not an attribute");
}

/* Nodes are those that are named, whatever a header says. */
Test(named_nodes, words_are_as_many_as_are_named)
{
    outcome o = read_edges("# Nodes: 100 Edges: 1\na b\n", NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert(o.A.head.rows == 2 && o.A.head.cols == 2 && o.info.labels.n == 2);
    cr_assert_eq(o.warnings.n, 1);
    cr_assert_not_null(strstr(o.warnings.list[0].message, "announces 100 nodes"));
    release(&o);
    assert_graph("a b\n# Ids: 1 to 7\n", NULL, "a|b", "1 2 1");
}

/* ---- Many words ----------------------------------------------------------------------------- */

/* A word of up to 12 letters out of few, so that many are alike at the start. */
static size_t make_word(uint64_t seed, char *out)
{
    const uint64_t bits = spmv__mix(seed);
    const size_t length = 1 + bits % 12;
    for (size_t i = 0; i < length; i++) out[i] = (char)('a' + (bits >> (8 + 2 * i)) % 3);
    out[length] = '\0';
    return length;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

Test(named_nodes, many_words_get_the_numbers_of_their_order)
{
    enum { WORDS = 40000 };
    static char word[WORDS][16 + SPMV__SHORT_NAME], sorted[WORDS][16 + SPMV__SHORT_NAME];
    static int64_t number[WORDS];
    spmv__name_queue queue = {0};
    spmv_labels labels;
    const int64_t *rank;
    spmv_error err;
    int64_t n = 0;
    cr_assert_eq(spmv__node_names_create(&queue.names, 1, &err), SPMV_SUCCESS);
    for (size_t i = 0; i < WORDS; i++) {
        const size_t length = make_word(i, word[i]);
        memcpy(sorted[i], word[i], sizeof word[i]);
        cr_assert_eq(spmv__name_queue_ask(&queue, word[i], length, &number[i], &err), SPMV_SUCCESS);
    }
    cr_assert_eq(spmv__name_queue_answer(&queue, &err), SPMV_SUCCESS);
    cr_assert_eq(spmv__node_names_settle(queue.names, 2, &rank, &labels, &err), SPMV_SUCCESS);
    qsort(sorted, WORDS, sizeof sorted[0], compare_words);
    for (size_t i = 0; i < WORDS; i++) {
        if (i > 0 && strcmp(sorted[i], sorted[i - 1]) == 0) continue;
        cr_assert_str_eq(name_of(&labels, n), sorted[i]);
        cr_assert_eq(spmv_label_find(&labels, sorted[i], strlen(sorted[i])), n);
        n++;
    }
    cr_assert_eq(labels.n, n);
    for (size_t i = 0; i < WORDS; i++) cr_assert_str_eq(name_of(&labels, rank[number[i]]), word[i]);
    cr_assert_eq(spmv_label_find(&labels, "d", 1), -1);
    spmv_labels_destroy(&labels);
    spmv__node_names_destroy(queue.names);
}

/* Names of every length, and of every kind of byte, are the same the plain way and the careful one.
 */
Test(named_nodes, long_names_and_plain_ones_are_read_alike)
{
    static char plain[20000], careful[20000];
    char *p = plain, *q = careful;
    for (int length = 1; length < 60; length++) {
        char name[64];
        for (int i = 0; i < length; i++) name[i] = (char)('!' + (7 * i + length) % 94);
        name[0] = 'n';
        p += sprintf(p, "%.*s\thub\t%d\n", length, name, length);
        q += sprintf(q, "%.*s\thub \t%d \r\n", length, name, length);
    }
    outcome o = read_edges(plain, NULL), w = read_edges(careful, NULL);
    cr_assert_eq(o.status, SPMV_SUCCESS, "%s", o.err.message);
    cr_assert_eq(w.status, SPMV_SUCCESS, "%s", w.err.message);
    o.info.labels.n = w.info.labels.n = o.A.head.rows;
    cr_assert_eq(o.A.head.rows, 60);
    cr_assert(spmv_identical(&o.A, &w.A) && spmv_labels_equal(&o.info.labels, &w.info.labels));
    spmv_labels_destroy(&o.info.labels);
    spmv_labels_destroy(&w.info.labels);
    spmv_destroy(&o.A);
    spmv_destroy(&w.A);
}

Test(named_nodes, names_are_utf8_without_control_characters)
{
    static const struct {
        const char *name, *fault; /* NULL: it is one */
    } cases[] = {{"a", NULL},
                 {"two words", NULL},
                 {"exactly8", NULL},
                 {"\xc3\xa9", NULL},
                 {"\xe2\x82\xac", NULL},
                 {"\xf0\x9f\x98\x80", NULL},
                 {"", "is empty"},
                 {"a\tb", "control"},
                 {"12345678\x1b[31m", "control"},
                 {"1234567\x7f", "control"},
                 {"\xc2\x9b", "control"},
                 {"\xff", "UTF-8"},
                 {"\xc3", "UTF-8"},
                 {"\xc0\xaf", "UTF-8"},
                 {"\xe0\x80\xaf", "UTF-8"},
                 {"\xed\xa0\x80", "UTF-8"},
                 {"\xf4\x90\x80\x80", "UTF-8"},
                 {"\xf8\x88\x80\x80\x80", "UTF-8"},
                 {"1234567\x80", "UTF-8"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unsigned char *name = (const unsigned char *)cases[i].name;
        const char *fault = spmv__name_fault(name, name + strlen(cases[i].name));
        cr_expect_eq(fault == NULL, cases[i].fault == NULL, "case %zu", i);
        if (fault != NULL && cases[i].fault != NULL)
            cr_expect_not_null(strstr(fault, cases[i].fault), "case %zu: %s", i, fault);
    }
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void assert_file(const char *expected)
{
    size_t size;
    char *text = load_file(path, &size);
    cr_assert_eq(size, strlen(expected), "%.*s", (int)size, text);
    cr_assert_arr_eq(text, expected, size, "%.*s", (int)size, text);
    free(text);
}

static int64_t name_ptr[] = {0, 2, 7, 12};
static char names[] = "a\0b\"c \0d, e";
static spmv_labels odd = {.n = 3, .first = 1, .name_ptr = name_ptr, .names = names};

Test(named_nodes, edges_are_written_as_the_suffix_or_the_options_say_and_come_back)
{
    static const struct {
        const char *suffix, *named, *text;
    } cases[] = {
        {".el", NULL, "# Names: words\na \"b\"\"c \" 0.5\n\"b\"\"c \" \"d, e\" 2\n"},
        {".csv", NULL, "source,target,weight\na,\"b\"\"c \",0.5\n\"b\"\"c \",\"d, e\",2\n"},
        {".tsv", NULL, "source\ttarget\tweight\na\t\"b\"\"c \"\t0.5\n\"b\"\"c \"\td, e\t2\n"},
        {".csv", "el", "source,target,weight\na,\"b\"\"c \",0.5\n\"b\"\"c \",\"d, e\",2\n"},
        {".el", "csv", "source,target,weight\na,\"b\"\"c \",0.5\n\"b\"\"c \",\"d, e\",2\n"},
        {".csv", "tsv", "source\ttarget\tweight\na\t\"b\"\"c \"\t0.5\n\"b\"\"c \"\td, e\t2\n"}};
    static const double dense[] = {0, 0.5, 0, 0, 0, 2, 0, 0, 0};
    spmv_write_options options = {.overwrite = true, .labels = &odd};
    spmv_matrix A, back;
    spmv_file_info info;
    spmv_error err;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_F64, 3, 3, dense, &err), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        name_path(cases[i].suffix);
        options.file_format = cases[i].named;
        cr_assert_eq(spmv_write(&A, path, &options, &err), SPMV_SUCCESS, "%s", err.message);
        assert_file(cases[i].text);
        cr_assert_eq(spmv_read(&back, path, NULL, &info, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert(spmv_identical(&A, &back) && spmv_labels_equal(&info.labels, &odd), "%s",
                  cases[i].suffix);
        spmv_labels_destroy(&info.labels);
        spmv_destroy(&back);
        unlink(path);
    }
    spmv_destroy(&A);
    name_path(".csv");
    cr_assert_eq(spmv_from_dense(&A, SPMV_COO, SPMV_PATTERN, 2, 2, (double[]){1, 0, 0, 0}, &err),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_write_edges(&A, path, NULL, &err), SPMV_ERROR_UNSUPPORTED);
    cr_assert_not_null(strstr(err.message, "CSV and TSV cannot tell"), "%s", err.message);
    spmv_destroy(&A);
}

/* Without quotes it would be number 31, with a comment or another number behind. */
static void assert_comes_back(char *words)
{
    static int64_t begin[] = {0, 2, 4, 11};
    const spmv_labels labels = {.n = 3, .first = 1, .name_ptr = begin, .names = words};
    static const double dense[] = {0, 1, 1, 0, 0, 1, 0, 0, 0};
    static const char *const suffixes[] = {".el", ".csv", ".tsv"};
    const spmv_write_options options = {.overwrite = true, .labels = &labels};
    spmv_matrix A, back, B;
    spmv_file_info info;
    spmv_error err;
    cr_assert_eq(spmv_from_dense(&A, SPMV_CSR, SPMV_PATTERN, 3, 3, dense, &err), SPMV_SUCCESS);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        name_path(suffixes[i]);
        cr_assert_eq(spmv_write_edges(&A, path, &options, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_read(&back, path, NULL, &info, &err), SPMV_SUCCESS, "%s", err.message);
        cr_assert_eq(spmv_convert(&B, &back, SPMV_CSR, NULL, &err), SPMV_SUCCESS);
        cr_assert(spmv_identical(&A, &B) && spmv_labels_equal(&info.labels, &labels), "%s",
                  suffixes[i]);
        spmv_labels_destroy(&info.labels);
        spmv_destroy(&B);
        spmv_destroy(&back);
        unlink(path);
    }
    spmv_destroy(&A);
}

Test(named_nodes, names_that_read_as_a_number_and_more_come_back)
{
    static char commented[] = "0\0001\00031 % 1", paired[] = "0\0001\00031 451";
    assert_comes_back(commented);
    assert_comes_back(paired);
}

Test(named_nodes, scores_are_written_as_the_suffix_says)
{
    static double numbers[] = {0.5, 0.25, 0.125, 1, 2, 3};
    static const int64_t order[] = {2, 0, 1}, sources[] = {1, 2};
    const spmv_dense one = {SPMV_F64, 3, 1, numbers, false, false, NULL, 0},
                     two = {SPMV_F64, 3, 2, numbers, false, false, NULL, 0};
    const spmv_score_layout sorted = {.order = order}, from = {.sources = sources};
    const struct {
        const char *suffix;
        const spmv_dense *scores;
        const spmv_score_layout *layout;
        const char *text;
    } cases[] = {
        {".txt", &one, NULL, "a 0.5\n\"b\"\"c \" 0.25\n\"d, e\" 0.125\n"},
        {".csv", &one, &sorted, "node,score\n\"d, e\",0.125\na,0.5\n\"b\"\"c \",0.25\n"},
        {".tsv", &two, &from,
         "node\t\"score_b\"\"c \"\tscore_d, e\na\t0.5\t1\n\"b\"\"c \"\t0.25\t2\nd, e\t0.125\t3\n"},
        {".txt", &two, NULL,
         "# node score_1 score_2\na 0.5 1\n\"b\"\"c \" 0.25 2\n\"d, e\" 0.125 3\n"},
        {".json", &one, &sorted,
         "[\n{\"node\":\"d, e\",\"score\":0.125},\n{\"node\":\"a\",\"score\":0.5},\n"
         "{\"node\":\"b\\\"c \",\"score\":0.25}\n]\n"},
        {".json", &two, &from,
         "[\n{\"node\":\"a\",\"score_b\\\"c \":0.5,\"score_d, e\":1},\n"
         "{\"node\":\"b\\\"c \",\"score_b\\\"c \":0.25,\"score_d, e\":2},\n"
         "{\"node\":\"d, e\",\"score_b\\\"c \":0.125,\"score_d, e\":3}\n]\n"}};
    const spmv_write_options over = {.overwrite = true};
    spmv_error err;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        name_path(cases[i].suffix);
        cr_assert_eq(spmv_write_scores(cases[i].scores, &odd, cases[i].layout, path, &over, &err),
                     SPMV_SUCCESS, "%s", err.message);
        assert_file(cases[i].text);
        unlink(path);
    }
    name_path(".json");
    int64_t large[] = {5, INT64_C(9007199254740993)};
    const spmv_labels ids = {.n = 2, .id = large};
    const spmv_dense few = {SPMV_F64, 2, 1, numbers, false, false, NULL, 0};
    cr_assert_eq(spmv_write_scores(&few, &ids, NULL, path, &over, &err), SPMV_SUCCESS);
    assert_file(
        "[\n{\"node\":5,\"score\":0.5},\n{\"node\":\"9007199254740993\",\"score\":0.25}\n]\n");
    unlink(path);
}

/* ---- Reading labels and scores -------------------------------------------------------------- */

static void put_file(const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

Test(named_nodes, labels_are_read_in_any_order)
{
    static const char *const expected[] = {"M. Myriel", "\"b\" c", "17", "d, e"};
    spmv_labels labels;
    spmv_error err;
    name_path(".map");
    put_file("M. Myriel\t \r\n\"b\" c\n17\n\"d, e\"\n");
    cr_assert_eq(spmv_read_labels(&labels, path, 4, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    for (int64_t i = 0; i < 4; i++) {
        cr_assert_str_eq(name_of(&labels, i), expected[i]);
        cr_assert_eq(spmv_label_find(&labels, expected[i], strlen(expected[i])), i);
    }
    cr_assert_eq(spmv_label_find(&labels, "d,", 2), -1);
    spmv_labels_destroy(&labels);
    put_file("17\n3\n");
    cr_assert_eq(spmv_read_labels(&labels, path, 2, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_eq(spmv_label_find(&labels, "3", 1), 1);
    spmv_labels_destroy(&labels);
    put_file("01\n+2\n03\n");
    cr_assert_eq(spmv_read_labels(&labels, path, 3, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert_str_eq(name_of(&labels, 0), "01");
    cr_assert_str_eq(name_of(&labels, 1), "+2");
    cr_assert_eq(spmv_label_find(&labels, "1", 1), -1);
    spmv_labels_destroy(&labels);
    cr_assert_eq(spmv_write_labels(&odd, path, &(spmv_write_options){.overwrite = true}, &err),
                 SPMV_SUCCESS);
    cr_assert_eq(spmv_read_labels(&labels, path, 3, NULL, &err), SPMV_SUCCESS, "%s", err.message);
    cr_assert(spmv_labels_equal(&labels, &odd));
    spmv_labels_destroy(&labels);
    unlink(path);
}

Test(named_nodes, labels_that_stand_twice_are_told)
{
    remarks warnings = {0};
    const spmv_read_options options = {.warn = take_remark, .user = &warnings},
                            strict = {.strict = true};
    spmv_labels labels;
    spmv_error err;
    name_path(".map");
    put_file("b\na\nb\n");
    cr_assert_eq(spmv_read_labels(&labels, path, 3, &options, &err), SPMV_SUCCESS);
    cr_assert(warnings.n == 1 && strstr(warnings.list[0].message, "are called 'b'") != NULL);
    cr_assert_eq(spmv_label_find(&labels, "b", 1), 0);
    spmv_labels_destroy(&labels);
    cr_assert_eq(spmv_read_labels(&labels, path, 3, &strict, &err), SPMV_ERROR_INVALID_FORMAT);
    unlink(path);
}

Test(named_nodes, scores_are_read_by_word)
{
    static const struct {
        const char *text;
        double expected[3];
    } good[] = {{"\"b\"\"c \",2\na,1\n", {1, 2, 0}},
                {"node,score\n\"d, e\",3\na,1\n", {1, 0, 3}},
                {"d, e\t3\na\n", {1, 0, 3}},
                {"[node] weight\na 4\n", {4, 0, 0}},
                {"\"ID\";Value\na\nd, e;2\n", {1, 0, 2}}};
    static const struct {
        const char *text, *message;
        int64_t line, column;
    } bad[] = {{"a,1\nz,2\n", "no node z", 2, 1},
               {"node,score\nnode,score\n", "no node node", 2, 1},
               {"node\na\n", "no node node", 1, 1},
               {"a,\n", "a score is missing", 1, 3},
               {"a,heavy\n", "'heavy' is not a number", 1, 3},
               {"Anna Smith\na\n", "no node Anna", 1, 1},
               {"d, e\na\n", "'d, e' is a node, and may be 'd' with its score", 1, 1},
               {"a,1\nd, e\n", "'d, e' is a node, and may be 'd' with its score", 2, 1},
               {"a;1\na,1\n", "no node a,1", 2, 1},
               {"a,1\n,1\n", "the name of a node is missing", 2, 1}};
    spmv_dense x;
    spmv_error err;
    name_path(".txt");
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        put_file(good[i].text);
        cr_assert_eq(spmv_read_scores(&x, path, &odd, "score", NULL, &err), SPMV_SUCCESS, "%s: %s",
                     good[i].text, err.message);
        cr_expect_arr_eq(x.data, good[i].expected, sizeof good[i].expected, "%s", good[i].text);
        spmv_dense_destroy(&x);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put_file(bad[i].text);
        cr_assert_neq(spmv_read_scores(&x, path, &odd, "score", NULL, &err), SPMV_SUCCESS, "%s",
                      bad[i].text);
        cr_expect_not_null(strstr(err.message, bad[i].message), "%s", err.message);
        cr_expect(err.line == bad[i].line && err.column == bad[i].column, "%s", bad[i].text);
    }
    unlink(path);
}

/* A line that begins as a comment is one unless it begins with a node. */
Test(named_nodes, scores_of_nodes_that_begin_as_comments_do)
{
    static int64_t begin[] = {0, 5, 7};
    static char words[] = "#tag\0a";
    const spmv_labels tags = {.n = 2, .first = 1, .name_ptr = begin, .names = words};
    spmv_dense x;
    spmv_error err;
    name_path(".txt");
    put_file("% scores\nnode,score\n#tag,4\na,1\n");
    cr_assert_eq(spmv_read_scores(&x, path, &tags, "score", NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_expect_eq(((double *)x.data)[0], 4);
    cr_expect_eq(((double *)x.data)[1], 1);
    spmv_dense_destroy(&x);
    put_file("# scores of last week\n#\n#tag 4\n# that was\na 1\n%");
    cr_assert_eq(spmv_read_scores(&x, path, &tags, "score", NULL, &err), SPMV_SUCCESS, "%s",
                 err.message);
    cr_expect_eq(((double *)x.data)[0], 4);
    cr_expect_eq(((double *)x.data)[1], 1);
    spmv_dense_destroy(&x);
    unlink(path);
}
