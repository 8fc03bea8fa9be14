import { z } from 'zod'
import { parseJsonOrUndefined } from '../../../base/parse-json.ts'
import { reasonOf } from '../../../base/reason-of.ts'
import { readCompose } from './compose.ts'
import { readDataGrip } from './datagrip.ts'
import { dbeaverSchema, readDBeaver } from './dbeaver.ts'
import { dbGateSchema, readDbGate } from './dbgate.ts'
import { elasticvueSchema, readElasticvue } from './elasticvue.ts'
import {
	type ForeignConnection,
	type ForeignFile,
	longestFile,
	longestWritten,
	mostConnections,
	unfit,
} from './foreign-connection.ts'
import { groupsOf, readOptionFile, readServiceFile } from './option-files.ts'
import { pgAdminSchema, readPgAdmin } from './pgadmin.ts'
import { isAddressesFile, readAddresses } from './tableplus.ts'
import { isVariablesFile, readVariables } from './variables.ts'

/** A text that the user chose, with the name of its file, which tells one format that is encrypted. */
export interface ChosenFile {
	readonly text: string
	readonly fileName: string
}

/**
 * Reads a file of another program, whose format it finds by the content.
 * @throws HostError `connection/import_unfit`, which names the line or the member and quotes no value
 */
export function readForeign({ text, fileName }: ChosenFile): ForeignFile {
	if (/\.tableplusconnection$/i.test(fileName))
		throw unfit(
			'TablePlus encrypts its exports. Copy connections as URLs there, and import a text file with one a line.',
		)
	if (text.length > longestFile) throw unfit(`It is longer than ${longestFile} characters.`)
	const file = formatOf(text.replace(/^\uFEFF/, ''))
	if (file.connections.length > mostConnections)
		throw unfit(`It has ${file.connections.length} connections. At most ${mostConnections} are imported at once.`)
	return file
}

function formatOf(text: string): ForeignFile {
	const [first = ''] = /\S.*/.exec(text) ?? []
	if (first.startsWith('<')) return { source: 'DataGrip', connections: readDataGrip(text) }
	if (/^(?:\{|\[\s*(?:[{\]"]|$))/.test(first)) return ofJson(text)
	if (text.length > longestWritten) throw unfit(`It is longer than ${longestWritten} characters.`)
	const significant = /^\s*[^\s#;!].*/m.exec(text)?.[0].trim() ?? ''
	if (/^\[[^\]]+\]/.test(significant)) return ofGroups(text)
	if (isAddressesFile(text)) return { source: 'addresses', connections: readAddresses(text) }
	if (isVariablesFile(text)) return { source: 'variables', connections: readVariables(text) }
	if (/^services\s*:/m.test(text)) return { source: 'Compose', connections: readCompose(text) }
	throw unfit('No program that is known writes such a file.')
}

/** The members that tell a format, with its reader. */
const jsonFormats = [
	format('pgAdmin', ['Servers'], pgAdminSchema, readPgAdmin),
	format('Elasticvue', ['store'], elasticvueSchema, readElasticvue),
	format('DBeaver', ['connections'], dbeaverSchema, readDBeaver),
]

function format<T>(
	source: string,
	members: readonly string[],
	schema: z.ZodType<T>,
	read: (file: T) => readonly ForeignConnection[],
) {
	return {
		has: (value: object) => members.every(member => Object.hasOwn(value, member)),
		read: (value: unknown): ForeignFile => ({ source, connections: read(checked(schema, value)) }),
	}
}

const dbGate = format('DbGate', [], dbGateSchema, readDbGate)

function ofJson(text: string): ForeignFile {
	const value = parseJsonOrUndefined(text) ?? linesOf(text)
	if (Array.isArray(value)) return dbGate.read(value)
	if (typeof value !== 'object' || value === null) throw unfit(`${placeOf(text)} is not valid JSON.`)
	if (Object.hasOwn(value, 'engine')) return dbGate.read([value])
	const found = jsonFormats.find(({ has }) => has(value))
	if (!found) throw unfit('No program that is known writes such a file.')
	return found.read(value)
}

/** Returns the values of a text with one JSON text a line. */
function linesOf(text: string): readonly unknown[] | undefined {
	const lines = text.split('\n').filter(line => line.trim() !== '')
	const values = lines.map(parseJsonOrUndefined)
	return lines.length > 1 && values.every(value => typeof value === 'object') ? values : undefined
}

function placeOf(text: string): string {
	try {
		JSON.parse(text)
	} catch (error) {
		const [, position] = /at position (\d+)/.exec(String(error)) ?? []
		if (position !== undefined) return `Line ${text.slice(0, Number(position)).split('\n').length}`
	}
	return 'The text'
}

function ofGroups(text: string): ForeignFile {
	const isOptions = /^\s*\[client/m.test(text)
	const groups = groupsOf(text, { isStrict: !isOptions })
	return isOptions
		? { source: 'option file', connections: readOptionFile(groups) }
		: { source: 'service file', connections: readServiceFile(groups) }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
	const read = schema.safeParse(value)
	if (read.success) return read.data
	throw unfit(reasonOf(new z.ZodError(read.error.issues.slice(0, 3))))
}
