/* archive.h -- tar and zip archives, and which of their members is the matrix. */
#pragma once

#include "formats/stream/stream.h"

/* A tar or zip archive, file after file.  It comes from a stream, or lies in memory where that is
 * NULL; only the latter may be zip. */
typedef struct spmv__archive spmv__archive;

/* The stream is borrowed.  Errors: OUT_OF_MEMORY, INVALID_FORMAT (no archive). */
spmv_status spmv__archive_open(spmv__archive **out, spmv__stream *packed, const unsigned char *data,
                               int64_t size, spmv_error *err);
void spmv__archive_close(spmv__archive *archive); /* NULL is allowed */

/* Go to the next file, passing over folders, links and devices.  *name is NULL at the end of the
 * archive, else valid until the next call.
 * Errors: those of the stream, INVALID_FORMAT (damaged). */
spmv_status spmv__archive_next(spmv__archive *archive, const char **name, spmv_error *err);

/* Bytes of the archive up to what was read. */
int64_t spmv__archive_taken(const spmv__archive *archive);

/* Bytes of the file as the archive claims, true or not; negative: it says nothing. */
int64_t spmv__archive_claim(const spmv__archive *archive);

/* The next bytes of the file; *got < room only at its end.  Errors: also UNSUPPORTED (encrypted,
 * stored with holes). */
spmv_status spmv__archive_read(spmv__archive *archive, unsigned char *out, int64_t room,
                               int64_t *got, spmv_error *err);

/* The classes of files in an archive, from the least to the most likely matrix. */
typedef enum spmv__member_class {
    SPMV__MEMBER_NONE,    /* never */
    SPMV__MEMBER_FILE,    /* it is a file */
    SPMV__MEMBER_EDGES,   /* it is called out.NAME, as the edges in archives of KONECT */
    SPMV__MEMBER_NUMBERS, /* its suffix may be that of an edge list, as .txt */
    SPMV__MEMBER_MATRIX,  /* its suffix is one of a matrix, or what else is looked for */
    SPMV__MEMBER_MAIN,    /* it is NAME/NAME.suffix, or the one that was asked for */
    SPMV__MEMBER_CLASSES
} spmv__member_class;

/* What the table of file formats tells those who look into packed files. */
typedef struct spmv__recogniser {
    /* Whether the content is in a file format, beyond doubt. */
    bool (*is_known)(const unsigned char *data, int64_t size);
    /* MEMBER_FILE, MEMBER_NUMBERS or MEMBER_MATRIX, by the suffix of a name without folders. */
    spmv__member_class (*class_of)(const char *name);
} spmv__recogniser;

/* The files of one class. */
typedef struct spmv__members {
    int64_t count, first; /* the number of the first among all files, from 0 */
    char names[192];      /* of the first few */
} spmv__members;

/* The choice of the file that is the matrix. */
typedef struct spmv__member_choice {
    const spmv__recogniser *known;
    const char *wanted; /* the name that was asked for; NULL: the class decides */
    int64_t seen;
    bool office; /* the archive is a document, such as .xlsx */
    spmv__members of[SPMV__MEMBER_CLASSES];
} spmv__member_choice;

/* Consider the next file; true when it is the matrix: the first of the highest class. */
bool spmv__member_choice_add(spmv__member_choice *choice, const char *name);

/* INVALID_FORMAT, with a list, when there is more than one file of that class. */
spmv_status spmv__member_choice_check(const spmv__member_choice *choice, spmv__member_class kind,
                                      spmv_error *err);

/* All were considered and none was the matrix: which one is it, nevertheless?
 * Errors: INVALID_FORMAT (none, or several). */
spmv_status spmv__member_choice_settle(const spmv__member_choice *choice, int64_t *index,
                                       spmv_error *err);

/* The matrix in an archive as a stream.  Takes over the stream that the archive comes from, also
 * on failure.  Errors: those above. */
spmv_status spmv__member_open(spmv__stream **out, spmv__stream *packed, const unsigned char *data,
                              int64_t size, const char *wanted, const spmv__recogniser *known,
                              spmv_error *err);
