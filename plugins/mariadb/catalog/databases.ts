import type { Session } from '../wire/session.ts'

/** Databases of the server. A session can use any of them, so no other session is needed for one. */

/** Databases of the server itself, in the order in which they are listed. */
export const systemSchemas: readonly string[] = ['information_schema', 'mysql', 'performance_schema', 'sys']

/** Returns the databases that the user may see, those of the server last. */
export async function listDatabases(session: Session, signal: AbortSignal): Promise<readonly string[]> {
	const { rows } = await session.read({ sql: 'select schema_name from information_schema.schemata order by 1' }, signal)
	const names = rows.map(([name]) => String(name))
	const isSystem = (name: string) => systemSchemas.includes(name.toLowerCase())
	return [...names.filter(name => !isSystem(name)), ...names.filter(isSystem)]
}
