/** The notification that a bridge gets before a call writes. Bridges keep it to themselves. */
export const writeBeginsMethod = 'notifications/roundhouse/write_begins'
