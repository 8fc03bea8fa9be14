/** What is done outside of the tools of AI clients, in words. */
const words: Readonly<Record<string, string>> = {
	'auth.failure': 'A client was refused',
	'change.undone': 'Undid a change',
	'export.begun': 'Began an export',
	'log.recovered': 'Repaired the log',
	'network.reached': 'Connected to a server',
	'network.refused': 'Refused a connection to a server',
	'rows.imported': 'Imported rows',
	'server.started': 'Started',
	'token.created': 'Created a token',
	'token.revoked': 'Revoked a token',
	'write.begun': 'Began a write',
}

/** Returns what an entry of the activity says was done: the name of a tool, or words. The log has its own name for it. */
export const activityWords = (action: string): string => words[action] ?? action.replace(/^tool\./, '')
