import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'

/** The part of mysql2's connection that this driver uses. The package's types lack most of it. */

/** A column of a result, as the server describes it. */
export interface Field {
	readonly name: string
	/** Database, table and column that the values are from, or empty for an expression. */
	readonly schema: string
	/** The alias of the table in the statement. */
	readonly table: string
	readonly orgTable: string
	readonly orgName: string
	readonly columnType: number
	/** Number of the collation. 63 is binary. */
	readonly characterSet: number
	readonly flags: number
	/** In bytes; of a BIT in bits. */
	readonly columnLength: number
	readonly decimals: number
	/** MariaDB's name of a type that has no number: `uuid`, `inet6`, `point`. */
	readonly extendedTypeName?: string
	/** MariaDB's format of a text: `json`. */
	readonly extendedFormat?: string
}

/** The answer of a statement without rows. */
export interface OkPacket {
	/** Rows that a condition found, also those that had the new values before. */
	readonly affectedRows: number | string
	readonly insertId: number | string
	readonly info: string
	readonly serverStatus: number
	readonly warningStatus: number
	/** What the statement has changed in the session. The schema is `null` if it is still the same. */
	readonly stateChanges?: { readonly schema: string | null }
}

interface Packet {
	isEOF(): boolean
	eofStatusFlags(): number
	eofWarningCount(): number
}

/** A statement that was sent. Its functions read one packet each, and return the function for the next one. */
export interface Command extends EventEmitter {
	row: (packet: Packet, connection: WireConnection) => unknown
}

export interface WireConnection extends EventEmitter {
	stream: Duplex
	/** Called after the request for TLS was sent. */
	startTLS: (done: (error?: Error) => void) => void
	readonly packetParser: { execute(data: Buffer): void }
	readonly threadId: number | null
	readonly _handshakePacket: { readonly serverVersion: string } | null
	/** With these options, a row is a list of the bytes of its values as text. */
	query(statement: { readonly sql: string; readonly rowsAsArray: true; readonly typeCast: false }): Command
	/** Packets wait in memory, and the stream pauses. */
	pause(): void
	resume(): void
	destroy(): void
}

/** Flags of `serverStatus`. */
export const inTransaction = 1

/** Numbers of types. https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
export const types = {
	decimal: 0,
	tiny: 1,
	short: 2,
	long: 3,
	float: 4,
	double: 5,
	null: 6,
	timestamp: 7,
	longlong: 8,
	int24: 9,
	date: 10,
	time: 11,
	datetime: 12,
	year: 13,
	newdate: 14,
	varchar: 15,
	bit: 16,
	vector: 242,
	json: 245,
	newdecimal: 246,
	enum: 247,
	set: 248,
	tinyBlob: 249,
	mediumBlob: 250,
	longBlob: 251,
	blob: 252,
	varString: 253,
	string: 254,
	geometry: 255,
} as const

export const fieldFlags = { notNull: 1, unsigned: 32, enum: 256, set: 2048 } as const

export const binaryCollation = 63
