/* edge_ids.c -- integers that name nodes, and what is none. */
#include "formats/graphs/edge_list.h"

/* Whether all nodes are said to be integers. */
static bool has_ids_only(const spmv__edges_reader *reader)
{
    return reader->header.konect || reader->options->all_ids;
}

void spmv__edges_meet_word(spmv__edges_reader *reader, const unsigned char *place, bool doubtful)
{
    if (has_ids_only(reader)) return;
    reader->word = place;
    reader->doubtful = doubtful;
}

/* An integer that cannot be an id. */
static bool refuse_id(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      bool negative, bool large)
{
    const int64_t base = reader->header.base;
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    spmv__text_quote(quote, field->p, field->end);
    spmv__edges_meet_word(reader, field->p, true);
    static const char words[] = "; a first line \"# Names: words\" makes names of them";
    const char *hint = has_ids_only(reader) ? "" : words;
    if (!negative && !large && limit < 0)
        return spmv__text_fault(text, field->p,
                                "the node %s is less than %lld; `index_base` 0 reads files that "
                                "count from 0",
                                quote, (long long)base);
    if (negative)
        return spmv__text_fault(text, field->p,
                                "the node %s is less than %lld, from which ids count%s", quote,
                                (long long)base, hint);
    if (large) return spmv__text_fault(text, field->p, "the id %s is too large%s", quote, hint);
    return spmv__text_fault(text, field->p,
                            "the node %s is outside %lld..%lld, which the header declares", quote,
                            (long long)base, (long long)(limit - 1 + base));
}

/* A name that is no integer: a word, where words can be. */
static bool refuse_name(spmv__edges_reader *reader, const spmv__field *field)
{
    spmv__text *text = &reader->text;
    char quote[SPMV__TEXT_QUOTE];
    if (field->p == field->end)
        return spmv__text_fault(text, field->p, "the name of a node is missing");
    spmv__edges_meet_word(reader, field->p, spmv__field_may_be_id(field));
    return spmv__text_fault(text, field->p, "'%s' is not a node: ids are integers%s",
                            spmv__text_quote(quote, field->p, field->end),
                            reader->options->all_ids ? " with `all_ids`"
                            : reader->header.konect  ? ""
                                                     : "; `columns` says which columns count, and "
                                                       "quotes make it a name");
}

bool spmv__edges_node(spmv__edges_reader *reader, const spmv__field *field, int64_t limit,
                      int64_t *out, bool *outside)
{
    const unsigned char *end;
    const int64_t base = reader->header.base;
    bool negative;
    uint64_t magnitude;

    if (!spmv__field_is_integer(field, &end) ||
        (spmv__field_is_padded(field) && !has_ids_only(reader)))
        return refuse_name(reader, field);
    spmv__text_parse_integer(field->p, end, &negative, &magnitude);
    if (end < field->end) spmv__text_note(&reader->text, SPMV__ODD_DECIMAL_INTEGER, field->p);
    negative = negative && magnitude > 0;
    const bool large = magnitude >= INT64_MAX - 1; /* so that nodes can be counted */
    *out = (int64_t)(magnitude - (uint64_t)base);
    const bool beyond = large || (reader->header.konect && limit >= 0 && *out >= limit);
    if (!negative && !beyond && *out >= 0) return true;
    *outside = true;
    return reader->options->skip_invalid ||
           refuse_id(reader, field, beyond ? limit : -1, negative, large);
}
