import { z } from 'zod'
import { parseIcon } from './icon.ts'
import { importConflicts } from './import.ts'
import type { SettingValue } from './settings.ts'
import { faultOfTexts } from './shown-text.ts'
import { toolGroups } from './tool-groups.ts'

export type { Settings, SettingValue } from './settings.ts'

/**
 * The manifest: the `roundhouse` field of a driver's package.json. It contains only data. So the choice sheet, the
 * connection form, the sidebar and `tools/list` work before the driver runs or is downloaded.
 */

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and dashes')

export const settingValueSchema: z.ZodType<SettingValue> = z.union([z.string(), z.number(), z.boolean()])

/** A list of a manifest. The host holds each manifest of a registry, so each list has a bound. */
const listOf = <Item extends z.ZodType>(item: Item, most = 100) => z.array(item).max(most)

/** Shows a field only while another field has one of these values. */
const visibleWhen = z.strictObject({ field: z.string(), is: listOf(settingValueSchema).min(1) })

/** Formats of files in which the clients of an engine find passwords: two of `libpq`, and of MariaDB and MySQL. */
export const passwordFileSchema = z.enum(['pgpass', 'pg_service.conf', 'my.cnf'])
export type PasswordFile = z.infer<typeof passwordFileSchema>

/** A field of the connection form. */
const plainFieldSchema = z.strictObject({
	key: z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/),
	label: z.string().min(1),
	/**
	 * `secret` values are stored in the secret store and never in the connections file. `file` contains a path or the
	 * text itself, which is stored like a secret. The host reads the file at connect and passes the text to the driver,
	 * never the path, unless `access` says that the driver opens the file. `folder` contains the path of a folder that
	 * the driver opens.
	 */
	type: z.enum(['text', 'number', 'secret', 'select', 'switch', 'file', 'folder']),
	/**
	 * What the driver may do with the file, or with everything in the folder. Connections with the same grants share a
	 * process, which has no others.
	 */
	access: z.enum(['read', 'readWrite']).optional(),
	section: z.string().default('General'),
	default: settingValueSchema.optional(),
	placeholder: z.string().optional(),
	help: z.string().optional(),
	required: z.boolean().default(false),
	options: listOf(z.strictObject({ value: z.string(), label: z.string() })).optional(),
	/** The part of a pasted address, with its credentials, that fills this field (`pastedAddress`). */
	takes: z.enum(['username', 'password', 'apiKey', 'bearerToken', 'database']).optional(),
	/**
	 * Files from which the user may let the host read this secret. A line is chosen by the addresses, and by the fields
	 * that take the database and the user name.
	 */
	passwordFiles: listOf(passwordFileSchema).optional(),
	/** The values of this field for an `https:` address, with and without certificate verification. */
	tls: z.strictObject({ verified: z.string(), unverified: z.string() }).optional(),
	visibleWhen: z.union([visibleWhen, listOf(visibleWhen)]).optional(),
	/**
	 * The text names the addresses that the connection reaches: `host`, `host:port`, `[::1]:port` or URLs, separated by
	 * commas or spaces. The host allows the driver to reach these and asks the user for any other.
	 */
	addresses: z
		.strictObject({
			/** Port of an address without one. */
			defaultPort: z.int().min(1).max(65_535),
			/** The field with the port, for a form that has a separate field. */
			portField: z.string().optional(),
		})
		.optional(),
	/**
	 * `true`: the text is the absolute path of a Unix socket, for example `/run/postgresql/.s.PGSQL.5432`. The host opens
	 * this socket for the driver, and no other (`DriverContext.connect`).
	 */
	isSocketPath: z.boolean().optional(),
})
const formFieldSchema = plainFieldSchema
	.refine(({ type, access }) => (access === undefined ? type !== 'folder' : type === 'folder' || type === 'file'), {
		message: '`access` is for a file or a folder, and a folder requires it',
		path: ['access'],
	})
	.refine(({ type, passwordFiles }) => passwordFiles === undefined || type === 'secret', {
		message: '`passwordFiles` is for a secret',
		path: ['passwordFiles'],
	})
	.refine(({ type, addresses }) => addresses === undefined || type === 'text', {
		message: '`addresses` is for a text field, where the user sees what the connection reaches',
		path: ['addresses'],
	})
	.refine(({ type, addresses, isSocketPath }) => !isSocketPath || (type === 'text' && addresses === undefined), {
		message: '`isSocketPath` is for a text field without `addresses`',
		path: ['isSocketPath'],
	})
	// Spaces could push further hosts, or a part of the path, out of the visible part of the field.
	.refine(
		field => (field.addresses === undefined && !field.isSocketPath) || /^[^\s,;]*$/.test(String(field.default ?? '')),
		{
			message: 'the default of a field with `addresses` or `isSocketPath` is one address without spaces',
			path: ['default'],
		},
	)
/** The fields of the connection form, in order. */
const formSchema = listOf(formFieldSchema).superRefine((form, context) => {
	// The first field of a key, in one pass: the form comes from a signed document, and may be long.
	const fields = new Map(form.toReversed().map(field => [field.key, field]))
	for (const [index, { addresses }] of form.entries()) {
		if (addresses?.portField === undefined) continue
		const port = fields.get(addresses.portField)
		if (port?.type === 'number' || port?.type === 'text') continue
		const message = '`portField` must name a number or text field of this form'
		context.addIssue({ code: 'custom', message, path: [index, 'addresses', 'portField'] })
	}
})
export type FormField = z.infer<typeof formFieldSchema>

const pastedAddressSchema = z.strictObject({
	/**
	 * Schemes of URLs that are recognized. `http` and `https` URLs fill the address field whole, unless it has a
	 * `portField`. Of other URLs, it gets host and port, and a field with `takes: "database"` gets the path.
	 */
	schemes: listOf(z.string().regex(/^[a-z][a-z0-9+.-]*$/)).min(1),
	/** `true`: a curl command with an `http` or `https` URL is recognized too. */
	curl: z.boolean().default(false),
	/** What begins the segment of a path from which on a pasted web URL is a request, and no part of the address. */
	requestMark: z.string().min(1).max(20).optional(),
	/**
	 * What the driver reads besides (`Driver.readAddress`), in words for the form, for example `a psql command`. A text
	 * with spaces, `=` or `://` is then given to the driver, and the values that it returns fill the form.
	 */
	readByDriver: z.string().min(1).optional(),
})

/** Longest JSON Schema, as JSON text. */
const maxSchemaLength = 100_000
const jsonSchema = z
	.record(z.string(), z.unknown())
	.refine(schema => JSON.stringify(schema).length <= maxSchemaLength, {
		message: `is longer than ${maxSchemaLength} characters`,
	})

export const toolGroupSchema = z.enum(toolGroups)

/** An MCP tool of the driver. Its name on the wire is `<driver id with underscores>_<name>`. */
const toolSchema = z.strictObject({
	name: z.string().regex(/^[a-z0-9][a-z0-9_]{0,59}$/),
	title: z.string().optional(),
	description: z.string().min(1),
	/** JSON Schema 2020-12, passed to clients unchanged. */
	inputSchema: jsonSchema,
	outputSchema: jsonSchema.optional(),
	annotations: jsonSchema.optional(),
	/**
	 * What the tool may do. For `write` and `destructive` the host asks the user. The host never assumes less than the
	 * driver's classifier says.
	 */
	access: z.enum(['read', 'write', 'destructive']),
	/** `true`: the tool acts on one connection and declares the argument `connection_id`. */
	needsConnection: z.boolean(),
	/**
	 * Group in which the tool is listed. `core` is for every client, and each tool there costs context in every
	 * conversation. `driver` must be switched on.
	 */
	group: toolGroupSchema.exclude(['custom']).default('driver'),
})
export type ToolManifest = z.infer<typeof toolSchema>

/** An MCP prompt of the driver. Its name on the wire is `<driver id with underscores>_<name>`. */
const promptSchema = z.strictObject({
	name: z.string().min(1),
	title: z.string().optional(),
	description: z.string().min(1),
	arguments: listOf(
		z.strictObject({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }),
	).optional(),
})
export type PromptManifest = z.infer<typeof promptSchema>

/** A URI with a fixed scheme of the driver. A URI that could match any scheme would answer for other drivers too. */
const ownUri = /^(?!roundhouse:)[a-z][a-z0-9+.-]*:/

/** An MCP resource of the driver. */
const resourceSchema = z.strictObject({
	uri: z.string().regex(ownUri),
	name: z.string().min(1),
	title: z.string().optional(),
	description: z.string().optional(),
	mimeType: z.string().optional(),
})
export type ResourceManifest = z.infer<typeof resourceSchema>

/** A template of URIs of the driver (RFC 6570). */
const resourceTemplateSchema = resourceSchema.omit({ uri: true }).extend({ uriTemplate: z.string().regex(ownUri) })
export type ResourceTemplateManifest = z.infer<typeof resourceTemplateSchema>

/**
 * What the driver's process may do beyond reading its folder and writing its scratch folder. Shown to the user before
 * the download.
 */
export const permissionsSchema = z.strictObject({
	/** `connections`: the addresses in a connection's form, and others that the user allows. */
	network: z.enum(['none', 'connections']),
	/** Ceiling of resident memory above Node's base usage, buffers included, in mebibytes. */
	memoryMb: z.int().min(64).max(4096).default(512),
})
export type Permissions = z.infer<typeof permissionsSchema>

/** Returns the name on the wire of a driver's tool or prompt: the driver's id and the name. */
export function wireName({ id }: { readonly id: string }, name: string): string {
	return `${id.replaceAll('-', '_')}_${name}`
}

/** Singular and plural. */
const noun = z.strictObject({ one: z.string().min(1), many: z.string().min(1) })
export type Noun = z.infer<typeof noun>

/** The console language of the driver: its name, a hint and what highlighting needs. */
const consoleSchema = z.strictObject({
	/** The engine's term for one text that the console runs, for example "request" and "requests". */
	noun: noun.default({ one: 'statement', many: 'statements' }),
	/** The form of one statement, in words for people and models, for example "a line `METHOD /path`, then JSON". */
	language: z.string().min(1),
	/** A statement that an empty console shows. */
	placeholder: z.string().default(''),
	/** Marks that begin a comment up to the end of the line. */
	lineComments: listOf(z.string().min(1)).default([]),
	/** Marks around a comment that may span lines, for example `/*` and its mirror image. */
	blockComments: listOf(z.strictObject({ begin: z.string().min(1), end: z.string().min(1) })).default([]),
	/** Mark that ends a statement, for example `;`, if a text has several. */
	terminator: z.string().optional(),
	/** Words that start a statement, in any case. */
	keywords: listOf(z.string().regex(/^\w+$/), 5_000).default([]),
	/** Words that are highlighted wherever they stand outside of texts and comments, in any case. */
	words: listOf(z.string().regex(/^\w+$/), 5_000).default([]),
	/** Marks around text that may span lines, for example `"""`. */
	textBlocks: listOf(z.string().min(1)).default([]),
	/** Words and signs behind which the list of completions opens at once: `(`, and `on` with a blank behind it. */
	completesBehind: listOf(z.string().min(1)).default([]),
	/** File name extension of saved statements. */
	fileExtension: z
		.string()
		.regex(/^[a-z0-9]{1,10}$/)
		.default('txt'),
	/** `true`: the engine explains statements that only read (`Connection.explain`). The console offers it. */
	canExplain: z.boolean().default(false),
	/**
	 * `true`: it also shows the plan of a statement without running it (`ExplainableStatement.isPlanOnly`). The console then
	 * offers both, and a statement that writes is explained by its plan.
	 */
	canPlan: z.boolean().default(false),
	/**
	 * `true`: a session runs a statement, tells what it did and rolls it back (`ConsoleSession.assess`). The console offers
	 * to try a statement, and the question before a destructive one shows what it does.
	 */
	canRehearse: z.boolean().default(false),
	/**
	 * `true`: the driver runs and plans statements of AI clients without the columns in `DriverContext.hiddenColumns`, and
	 * refuses those that could show a value of them. Else such statements are refused while columns are hidden.
	 */
	withholdsColumns: z.boolean().default(false),
	/** `true`: the driver exports all rows of a statement that reads (`Console.openExport`). The console offers it. */
	canExport: z.boolean().default(false),
	/** `true`: a statement that reads runs again in another order of its rows (`RunOptions.sort`). */
	canSort: z.boolean().default(false),
	/**
	 * `true`: the engine takes values apart from the text (`Statement.parameters`). Texts then reach the driver with their
	 * places `{{name}}`. If `false`, the values of a user are filled into the text before the driver reads it.
	 */
	takesParameters: z.boolean().default(false),
	/** `true`: a console can be opened for another database of the server (`Connection.consoleOf`). */
	hasDatabases: z.boolean().default(false),
	/**
	 * `true`: a console can be opened whose names are looked up in a schema first (`Connection.consoleOf`). The last level of
	 * `Table.path` is then its schema.
	 */
	hasSchemas: z.boolean().default(false),
	/**
	 * Statements that end a transaction of a session (`Connection.openSession`), and the one that begins it: with it, a user can
	 * have one begun before each write, and commit by hand.
	 */
	transaction: z
		.strictObject({ begin: z.string().min(1).optional(), commit: z.string().min(1), rollback: z.string().min(1) })
		.optional(),
	/** `true`: the driver formats texts (`Console.format`). */
	canFormat: z.boolean().default(false),
	/** The format in which a statement can be copied for use elsewhere, for example `curl` (`Console.copyAs`). */
	copiesAs: z.string().min(1).optional(),
	/**
	 * Prefixes of texts from elsewhere that the driver converts into its language when they are pasted
	 * (`Console.readPasted`).
	 */
	pastes: listOf(z.string().min(1)).default([]),
})
export type ConsoleManifest = z.infer<typeof consoleSchema>

const iconSchema = z.string().check(context => {
	try {
		context.value = parseIcon(context.value)
	} catch (error) {
		const message = error instanceof Error ? error.message : 'is no icon'
		context.issues.push({ code: 'custom', input: context.value, message })
	}
})

const memberName = z.string().min(1).max(100)

/** A row inside of an object that says more about it, as exports and the engine's answers have it. */
const wrappedRowSchema = z.strictObject({
	/** The member with the object of columns. */
	values: memberName,
	/** Members beside it that belong to the row, for example its key. */
	beside: listOf(memberName).default([]),
	/** Where a whole answer has its list of rows: the members that lead there. */
	list: listOf(memberName).default([]),
	/** Members of an object that comes before an object of columns, and has the members of `beside` inside. */
	before: listOf(memberName).default([]),
})

/** A format of exports, which is the extension of its files too. */
export const exportId = z.string().regex(/^[a-z][a-z0-9]{0,19}$/)

/** The manifest. */
export const manifestSchema = z
	.strictObject({
		/** Unique among the drivers of a host. It never changes. */
		id,
		displayName: z.string().min(1),
		/** One sentence, shown before the download. */
		description: z.string().min(1),
		/** The name of the publisher for people. */
		publisher: z.string().min(1),
		/** The group of engines in which the choice sheet lists the driver. */
		category: z.string().min(1),
		/**
		 * One SVG element of plain shapes, drawn with `currentColor`. It has no styles, references, filters, dashes or
		 * prefixes.
		 */
		icon: iconSchema,
		/** The engine's term for a table, for example "Index" and "Indices". */
		tableNoun: noun,
		/** The engine's term for a row, for example "document" and "documents". */
		rowNoun: noun.default({ one: 'row', many: 'rows' }),
		/** The engine's term for a column, for example "field" and "fields". */
		columnNoun: noun.default({ one: 'column', many: 'columns' }),
		/**
		 * Who assigns a new row's key: `generated` by the engine if none is typed, or `given` by the user. What a column says
		 * of itself (`isRequired`, `default`, `generated`) counts more.
		 */
		rowKey: z.enum(['generated', 'given']).default('given'),
		/**
		 * Set if rows can also be filtered in the engine's query language (`GridQuery.raw`). The placeholder is shown in
		 * the empty field.
		 */
		rawQuery: z.strictObject({ placeholder: z.string().min(1), language: z.string().min(1).optional() }).optional(),
		/** `true`: a connection may be led through SSH by the host. The driver sees a socket as any other. */
		takesSsh: z.boolean().default(false),
		/** How filters read a date without a time, in a few words with zone and boundary, for AI clients. */
		dayFilters: z.string().min(1).max(120).optional(),
		console: consoleSchema.default({
			noun: { one: 'statement', many: 'statements' },
			language: 'a statement in the language of the engine',
			placeholder: '',
			lineComments: [],
			blockComments: [],
			keywords: [],
			words: [],
			textBlocks: [],
			completesBehind: [],
			fileExtension: 'txt',
			canExplain: false,
			canPlan: false,
			canRehearse: false,
			withholdsColumns: false,
			hasDatabases: false,
			hasSchemas: false,
			canExport: false,
			canSort: false,
			takesParameters: false,
			canFormat: false,
			pastes: [],
		}),
		/** The versions of the driver API, as a semver range, for example `^0.1.0`. */
		engines: z.strictObject({ roundhouse: z.string().min(1) }),
		/** The driver's module, relative to the package. */
		entry: z.string().regex(/^(?!.*\.\.)[A-Za-z0-9_./-]+\.js$/),
		permissions: permissionsSchema,
		form: formSchema,
		/** What a user can paste into the form to fill it. A form without `addresses` cannot be filled this way. */
		pastedAddress: pastedAddressSchema.default({ schemes: ['http', 'https'], curl: false }),
		/** `true`: the driver includes a small embedded data source. */
		hasSample: z.boolean().default(false),
		/** `true`: the engine can open a session in which it rejects every write (`DriverContext.isReadOnly`). */
		hasReadOnlySessions: z.boolean().default(false),
		/** Formats of exports beside NDJSON, JSON and CSV (`Connection.openExport`), for example INSERT statements. */
		exports: listOf(z.strictObject({ id: exportId, label: z.string().min(1) })).default([]),
		/**
		 * Imports of rows from files. `conflicts`: what can be done beside `fail` with a row whose key exists. `skip` needs
		 * insertions that answer `conflict`, and `replace` needs `Connection.openImport`. `null`: no rows are imported.
		 */
		imports: z
			.strictObject({ conflicts: listOf(z.enum(importConflicts).exclude(['fail'])).default([]) })
			.nullable()
			.default({ conflicts: [] }),
		/**
		 * How a field of CSV has bytes, in exports and imports: `base64`, or `hex`, with `\x` before two digits for each byte.
		 * With `base64` an import reads both. NDJSON and JSON have base64.
		 */
		csvBytes: z.enum(['base64', 'hex']).default('base64'),
		/**
		 * `true`: a column can have a null of JSON, which differs from the engine's null. JSON and NDJSON have one null, so the
		 * window says that an export in these formats does not tell them apart.
		 */
		hasJsonNull: z.boolean().default(false),
		/** How a row looks in the driver's JSON, if it is no plain object of columns. Pasted rows are read by it too. */
		wrappedRow: wrappedRowSchema.optional(),
		/** `true`: a change can remove a column from a row (a missing cell), so that it has no value there, not even null. */
		removesFields: z.boolean().default(false),
		/** `true`: the changes of one save are applied together or not at all (`Connection.applyChanges`). */
		savesWhole: z.boolean().default(false),
		/** `true`: the driver reports facts about connections and tables (`Connection.readFacts`). */
		hasFacts: z.boolean().default(false),
		/** `true`: tables refer to each other by keys, which `Connection.describeTable` tells. */
		hasReferences: z.boolean().default(false),
		/** `true`: the driver lists what can be read beside tables (`Connection.listObjects`), for example functions. */
		hasObjects: z.boolean().default(false),
		/** `true`: the driver offers actions on tables (`Connection.tableActions`). */
		hasTableActions: z.boolean().default(false),
		/** `true`: users define tables in a form (`Connection.readTableForm`). */
		hasTableForm: z.boolean().default(false),
		tools: listOf(toolSchema).default([]),
		prompts: listOf(promptSchema).default([]),
		resources: listOf(resourceSchema).default([]),
		resourceTemplates: listOf(resourceTemplateSchema).default([]),
	})
	.superRefine((manifest, context) => {
		const fault = faultOfTexts(manifest)
		if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
	})
export type Manifest = z.infer<typeof manifestSchema>

/** The part of a driver's package.json that the host reads. */
export const packageSchema = z.object({
	name: z.string(),
	version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
	license: z.string().optional(),
	/** Files and folders that are packed unchanged beside the bundled entry. */
	files: listOf(
		z
			.string()
			.max(200)
			.regex(/^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]*$/),
		1_000,
	).default([]),
	roundhouse: manifestSchema,
})
