/**
 * What a driver is expected to be able to do. Every ability is expected unless the driver's conformance file gives a
 * reason why it is absent.
 */
export const abilities = {
	authenticate: 'refuses a wrong secret',
	verifyCertificates: 'refuses a server whose certificate cannot be verified',
	filter: 'filters rows by columns',
	sort: 'sorts rows by columns',
	insert: 'inserts rows',
	update: 'updates rows',
	delete: 'deletes rows',
	pageWhileWriting: 'returns each row of a grid once while others insert and delete rows',
	detectConflicts: 'refuses a change of a row that was changed since it was read',
	runStatements: 'runs statements of the console',
	cancelStatements: 'stops a statement in the engine when the user cancels it',
	export: 'exports rows as a file',
	refuseUnpermitted: 'refuses a statement that does more than its call was permitted',
} as const

/** One of {@link abilities}. */
export type Ability = keyof typeof abilities
