/**
 * Names of a column with the text of a log line, the best first. A table with one of them and a time is read as a log: the
 * newest rows first, a few columns, the text as wide as there is room.
 */
export const logTextNames = ['message', 'msg', 'log.message', 'body', 'event.original', 'log', 'line'] as const
