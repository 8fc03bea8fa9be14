import type { HiddenColumns } from '@roundhouse/kit'
import { settingValueSchema, toolGroupSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { proxySettingSchema } from '../network/proxy.ts'
import { sshSettingSchema } from '../network/ssh/ssh-setting.ts'
import { secretSourceSchema } from './secret-sources/secret-source.ts'

/** Access of AI clients to a connection (docs/mcp.md, "Who may do what"), strictest first. */
const externalAccessSchema = z.enum(['blocked', 'read-only', 'read-write'])
const aiPolicySchema = z.enum(['allow', 'ask', 'never'])
/** What a user may do with a connection in the grid and in the console, strictest first. */
const safeModeSchema = z.enum(['read-only', 'ask', 'free'])

/** A column by the names of the driver. */
const namedColumnSchema = z.object({ table: z.string().min(1).max(1000), column: z.string().min(1).max(1000) })
/** `mayCount`: statements of clients may count and join it (the kit's `HiddenColumns`). */
export const hiddenColumnSchema = namedColumnSchema.extend({ mayCount: z.boolean().exactOptional() })
export type HiddenColumn = Readonly<z.output<typeof hiddenColumnSchema>>

/** Each policy's values, strictest first. */
export const strictness = {
	externalAccess: externalAccessSchema.options,
	aiPolicy: aiPolicySchema.options.toReversed(),
	safeMode: safeModeSchema.options,
} as const

/**
 * Settings of a connection besides its name and its form. A new field needs one line here and a row of the form in the
 * window. The saved connection, the draft of the host API and the portable file derive from these tables. Each field has
 * a default, because an older file may lack some fields.
 */
const fields = {
	/** Connects to the driver's sample, which is started when the connection is opened. */
	isSample: z.boolean().default(false),
	externalAccess: externalAccessSchema.default('read-only'),
	aiPolicy: aiPolicySchema.default('ask'),
	/** Tool groups that are hidden from AI clients for this connection. */
	hiddenToolGroups: z.array(toolGroupSchema).default([]),
	/** Whether a write of an AI client is tried and rolled back before the user is asked. */
	triesWrites: z.boolean().default(true),
	/** A write of an AI client that changes more rows counts as destructive. */
	mostChangedRows: z.int().min(0).max(1_000_000_000).default(100),
	/** Columns whose values no AI client may see. */
	hiddenColumns: z.array(hiddenColumnSchema).max(10_000).default([]),
	safeMode: safeModeSchema.default('free'),
	/** A production connection asks before writes, unless the user chooses another safe mode. */
	isProduction: z.boolean().default(false),
	/** Group heading of the connection in the list; empty for none. */
	group: z.string().trim().max(100).default(''),
	/** By the key of a secret field: what gives its value at each use. Absent fields are in the secret store. */
	secretSources: z.record(z.string(), secretSourceSchema).default({}),
	/** The user's answers for addresses that the connection's form does not name. */
	reach: z.array(z.object({ host: z.string(), port: z.int(), isAllowed: z.boolean() })).default([]),
}
const defaults = z.object(fields).parse({})
/** Colours in files of earlier versions, which were too near to others. */
const earlierColours = new Map([
	['teal', 'cyan'],
	['sky', 'blue'],
	['mint', 'green'],
	['yellow', 'stone'],
	['red', 'pink'],
])
/** Optional fields. A draft removes one with `null`. */
const removable = {
	/** Default: derived from the id. A production connection is red instead, which no other connection is. */
	colour: z.preprocess(
		value => (typeof value === 'string' ? (earlierColours.get(value) ?? value) : value),
		z.enum(['violet', 'blue', 'cyan', 'green', 'stone', 'pink']),
	),
	/** Overrides the proxy of all connections. */
	proxy: proxySettingSchema,
	/** Leads the connection through SSH. */
	ssh: sshSettingSchema,
}
/**
 * Fields in the portable file. It has no secrets and no users in addresses, because such files are mailed and committed.
 * Access of AI clients and answers for addresses must be given again on the other machine.
 */
const portable = { isSample: true, safeMode: true, isProduction: true, group: true } as const

type Unwrapped = { readonly [K in keyof typeof fields]: ReturnType<(typeof fields)[K]['unwrap']> }
/** The schemas without their defaults. `Object.fromEntries` loses the types of the entries. */
const withoutDefaults = Object.fromEntries(
	Object.entries(fields).map(([key, schema]) => [key, schema.unwrap()] as const),
) as object as Unwrapped

const settings = z.record(z.string(), settingValueSchema)
const { colour, proxy, ssh } = removable

export const savedConnectionSchema = z.object({
	id: z.string(),
	name: z.string().min(1),
	driverId: z.string(),
	/** Values of the form without secrets. */
	settings,
	/** Keys of secret fields that have a value in the secret store. */
	secretKeys: z.array(z.string()),
	/** Random; it changes whenever a secret changes, and does not depend on the value. */
	secretsVersion: z.string().exactOptional(),
	...fields,
	colour: colour.exactOptional(),
	proxy: proxy.exactOptional(),
	ssh: ssh.exactOptional(),
	/** The folder of the project whose file has it, and its name there. The user agrees to each text of that file. */
	project: z.object({ folder: z.string(), name: z.string() }).exactOptional(),
	/** Questions of `ssh` whose passphrases are in the secret store, because the user said so. */
	passphrases: z.array(z.string()).exactOptional(),
	createdAt: z.iso.datetime(),
})
export type SavedConnection = Readonly<z.output<typeof savedConnectionSchema>>

export const portableConnectionSchema = z.strictObject({
	name: z.string().trim().min(1),
	driverId: z.string(),
	settings,
	...z.object(withoutDefaults).pick(portable).shape,
	/** Absent if there are none, so that an older Roundhouse reads the file, and refuses one whose marks it would lose. */
	hiddenColumns: z.array(namedColumnSchema).max(10_000).exactOptional(),
	colour: colour.exactOptional(),
})
export type PortableConnection = z.output<typeof portableConnectionSchema>

/** A connection as the user enters it. A missing field gets its default, or keeps its value. */
export const connectionDraftSchema = z.object({
	name: z.string().trim().min(1, 'Give the connection a name.'),
	driverId: z.string(),
	/** All values of the form. The manifest declares which are secret. A missing secret keeps its stored value. */
	settings,
	...z.object(withoutDefaults).partial().shape,
	colour: colour.nullish(),
	proxy: proxy.nullish(),
	ssh: ssh.nullish(),
})
export type ConnectionDraft = Readonly<z.output<typeof connectionDraftSchema>>
/** Partial changes of a connection. */
export type ConnectionChanges = { readonly [K in keyof ConnectionDraft]?: ConnectionDraft[K] | undefined }

/** Returns the fields of a new connection. A production connection asks before writes by default. */
export function newFields(draft: ConnectionDraft) {
	return changedFields({ ...defaults, ...(draft.isProduction && { safeMode: 'ask' as const }) }, draft)
}

export function changedFields<T extends object>(before: T, draft: ConnectionChanges): T {
	const after: Record<string, unknown> = Object.fromEntries(Object.entries(before))
	for (const key of [...Object.keys(fields), ...Object.keys(removable)]) {
		const value = draft[key as keyof ConnectionChanges]
		if (value === null) delete after[key]
		else if (value !== undefined) after[key] = value
	}
	return after as T
}

/** Returns the part of a connection that is exported to another machine. */
export function portableConnection(connection: SavedConnection): PortableConnection {
	const { hiddenColumns, ...rest } = z.object(portableConnectionSchema.shape).parse(connection)
	return hiddenColumns?.length ? { ...rest, hiddenColumns } : rest
}

/** Whether a column is among marks. */
export const isAmong = (marks: readonly HiddenColumn[], { table, column }: HiddenColumn): boolean =>
	marks.some(mark => mark.table === table && mark.column === column)

/** Returns what is hidden from AI clients: marks of a connection, and those of the policy. */
export const hiddenFromClients = (
	marks: readonly HiddenColumn[],
	byPolicy: readonly HiddenColumns[],
): readonly HiddenColumns[] => [...marksByTable(marks), ...byPolicy]

/** Returns marks by table, as drivers get them. */
export function marksByTable(marks: readonly HiddenColumn[]): readonly HiddenColumns[] {
	return [...Map.groupBy(marks, ({ table }) => table)].map(([table, marked]) => {
		const columns = [...new Set(marked.map(({ column }) => column))]
		const mayCount = columns.filter(name => marked.every(mark => mark.column !== name || mark.mayCount === true))
		return { table, columns, ...(mayCount.length > 0 && { mayCount }) }
	})
}
