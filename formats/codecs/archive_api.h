/* archive_api.h -- libarchive, loaded by the first archive: loading it and its dependencies takes
 * longer than multiplying a small matrix. */
#pragma once

#include "core/base/load_library.h"

#include <archive.h>
#include <archive_entry.h>

/* clang-format off */
#define ARCHIVE_API(X) \
    X(archive_entry_clear) X(archive_entry_filetype) X(archive_entry_free)                   \
    X(archive_entry_hardlink) X(archive_entry_new) X(archive_entry_pathname)                 \
    X(archive_entry_pathname_utf8) X(archive_entry_set_filetype)                             \
    X(archive_entry_set_pathname) X(archive_entry_set_perm) X(archive_entry_set_size)        \
    X(archive_entry_size) X(archive_entry_size_is_set) X(archive_errno)                      \
    X(archive_error_string) X(archive_filter_bytes) X(archive_read_data_block)               \
    X(archive_read_free) X(archive_read_header_position) X(archive_read_new)                 \
    X(archive_read_next_header) X(archive_read_open) X(archive_read_open_memory)             \
    X(archive_read_support_format_tar) X(archive_read_support_format_zip_seekable)           \
    X(archive_set_error) X(archive_write_close) X(archive_write_data) X(archive_write_free)  \
    X(archive_write_header) X(archive_write_new) X(archive_write_open)                       \
    X(archive_write_set_bytes_per_block) X(archive_write_set_format_zip)                     \
    X(archive_write_zip_set_compression_store)
/* clang-format on */

SPMV__LIBRARY(la, ARCHIVE_API, SPMV_ARCHIVE_SONAME)
