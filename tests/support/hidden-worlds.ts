import type { HiddenColumns } from '@roundhouse/kit'
import type { TestServer } from '../../plugins/postgres/servers/server.ts'
import type { EndpointFixture } from '../mcp/endpoint.ts'

/** Databases that differ only in hidden values are numbered, and named after their numbers. */
const worlds = [0, 1, 2]

interface WorldParts {
	readonly server: TestServer
	/** Hidden in each of them. */
	readonly marks: readonly HiddenColumns[]
	/** Returns the statements that fill the tables of the database `template`. */
	readonly rows: (world: number) => string
}

/** Makes the databases from `template`, and a connection to each. @returns the ids of the connections */
export async function openWorlds(
	fixture: EndpointFixture,
	{ server, marks, rows }: WorldParts,
): Promise<readonly string[]> {
	const hiddenColumns = marks.flatMap(({ table, columns }) => columns.map(column => ({ table, column })))
	const connections: string[] = []
	for (const world of worlds) {
		const database = `w${world}`
		await server.sql(`create database ${database} template template`)
		await server.sql(rows(world), database)
		const settings = { ...server.settings, database }
		const { id } = await fixture.addConnection({ name: 'World', driverId: 'postgres', settings, hiddenColumns })
		connections.push(id)
	}
	return connections
}
