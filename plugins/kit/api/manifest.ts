import { z } from 'zod'
import { toolGroups } from './tool-groups.ts'

/**
 * The manifest: the `roundhouse` field of a driver's package.json. It is data alone, so that the choice sheet, the
 * connection form, the sidebar and `tools/list` work before a line of the driver runs, and before it is downloaded.
 */

const id = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and dashes')

/** A value of the connection form. Lists are text with commas, as a person types them. */
export const settingValueSchema = z.union([z.string(), z.number(), z.boolean()])
export type SettingValue = z.infer<typeof settingValueSchema>
export type Settings = Readonly<Record<string, SettingValue>>

/** A field shows only while another field has one of these values. */
const visibleWhen = z.strictObject({ field: z.string(), is: z.array(settingValueSchema).min(1) })

const plainFieldSchema = z.strictObject({
	key: z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/),
	label: z.string().min(1),
	/**
	 * `secret` values live in the secret store and never in the connections file.
	 * `file` holds a path; the host reads it at connect and hands the driver the text, never the path, unless `access` says
	 * that the driver uses the file itself. `folder` holds the path of one that it uses.
	 */
	type: z.enum(['text', 'number', 'secret', 'select', 'switch', 'file', 'folder']),
	/**
	 * What the driver may do with the file, or with all that is in the folder. Connections with the same grants share a
	 * process, which has no others.
	 */
	access: z.enum(['read', 'readWrite']).optional(),
	section: z.string().default('General'),
	default: settingValueSchema.optional(),
	placeholder: z.string().optional(),
	help: z.string().optional(),
	required: z.boolean().default(false),
	options: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
	/** What of an address with credentials, or of a curl line, goes here when a person pastes one into the form. */
	takes: z.enum(['username', 'password', 'apiKey', 'bearerToken']).optional(),
	/** The values of this field for an address that begins with `https:`, and for one whose certificate is not looked at. */
	tls: z.strictObject({ verified: z.string(), unverified: z.string() }).optional(),
	visibleWhen: z.union([visibleWhen, z.array(visibleWhen)]).optional(),
	/**
	 * The text names what the connection reaches: `host`, `host:port`, `[::1]:port` or URLs, separated by commas or blanks.
	 * The host lets the driver reach that and asks the person for anything else.
	 */
	addresses: z
		.strictObject({
			/** The port of an address that names none. */
			defaultPort: z.int().min(1).max(65_535),
			/** The field that holds the port, for a form that asks for it apart. */
			portField: z.string().optional(),
		})
		.optional(),
})
const formFieldSchema = plainFieldSchema.refine(
	({ type, access }) => (access === undefined ? type !== 'folder' : type === 'folder' || type === 'file'),
	{ message: '`access` belongs to a file or a folder, and a folder needs it', path: ['access'] },
)
export type FormField = z.infer<typeof formFieldSchema>

const jsonSchema = z.record(z.string(), z.unknown())

export const toolGroupSchema = z.enum(toolGroups)

/** A driver's own MCP tool. Its name on the wire is `<driver id with underscores>_<name>`. */
const toolSchema = z.strictObject({
	name: z.string().regex(/^[a-z0-9][a-z0-9_]{0,59}$/),
	title: z.string().optional(),
	description: z.string().min(1),
	/** JSON Schema 2020-12, passed to clients untouched. */
	inputSchema: jsonSchema,
	outputSchema: jsonSchema.optional(),
	annotations: jsonSchema.optional(),
	/** What the tool may do. `write` and `destructive` ask the user; the host never takes less than the driver's classifier says. */
	access: z.enum(['read', 'write', 'destructive']),
	/** `true`: the tool acts on one connection and declares the argument `connection_id` itself. */
	needsConnection: z.boolean(),
	/** Where it is shown: `core` is for everybody, and each tool there costs every conversation; `driver` is switched on. */
	group: toolGroupSchema.exclude(['custom']).default('driver'),
})
export type ToolManifest = z.infer<typeof toolSchema>

const promptSchema = z.strictObject({
	name: z.string().min(1),
	title: z.string().optional(),
	description: z.string().min(1),
	arguments: z
		.array(z.strictObject({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }))
		.optional(),
})
export type PromptManifest = z.infer<typeof promptSchema>

/** A scheme of the driver's own, spelled out: what could stand for any URI would answer for everybody's. */
const ownUri = /^(?!roundhouse:)[a-z][a-z0-9+.-]*:/

const resourceSchema = z.strictObject({
	uri: z.string().regex(ownUri),
	name: z.string().min(1),
	title: z.string().optional(),
	description: z.string().optional(),
	mimeType: z.string().optional(),
})
export type ResourceManifest = z.infer<typeof resourceSchema>

const resourceTemplateSchema = resourceSchema.omit({ uri: true }).extend({ uriTemplate: z.string().regex(ownUri) })
export type ResourceTemplateManifest = z.infer<typeof resourceTemplateSchema>

/**
 * What the driver's process may do beyond reading its own folder and writing its scratch folder. Shown to the person
 * before the download.
 */
export const permissionsSchema = z.strictObject({
	/** `connections`: the addresses that a connection's form names, and what the person allows beside them. */
	network: z.enum(['none', 'connections']),
	/** Ceiling of resident memory beyond what Node itself takes, buffers included, in mebibytes. */
	memoryMb: z.int().min(64).max(4096).default(512),
})
export type Permissions = z.infer<typeof permissionsSchema>

/** The name on the wire of a tool or prompt that a driver brings: its id and its own name. */
export function wireName({ id }: { readonly id: string }, name: string): string {
	return `${id.replaceAll('-', '_')}_${name}`
}

/** One thing and several of them. */
const noun = z.strictObject({ one: z.string().min(1), many: z.string().min(1) })
export type Noun = z.infer<typeof noun>

/** The driver's console language: enough to name it, to hint at it and to colour it. */
const consoleSchema = z.strictObject({
	/** What one statement looks like, in words for people and models, for example "a line `METHOD /path`, then JSON". */
	language: z.string().min(1),
	/** A statement that an empty console shows. */
	placeholder: z.string().default(''),
	/** Each begins a comment that ends with its line. */
	lineComments: z.array(z.string().min(1)).default([]),
	/** Marks around a comment that may go over lines, for example `/*` and its mirror image. */
	blockComments: z.array(z.strictObject({ begin: z.string().min(1), end: z.string().min(1) })).default([]),
	/** Words that start a statement, in any case. */
	keywords: z.array(z.string().regex(/^\w+$/)).default([]),
	/** Marks around text that may go over lines, for example `"""`. */
	textBlocks: z.array(z.string().min(1)).default([]),
	/** What the names of files with saved statements end in. */
	fileExtension: z
		.string()
		.regex(/^[a-z0-9]{1,10}$/)
		.default('txt'),
	/** `true`: the driver lays texts out (`Console.format`). */
	canFormat: z.boolean().default(false),
	/** What a statement can be copied as for use elsewhere, for example `curl` (`Console.copyAs`). */
	copiesAs: z.string().min(1).optional(),
	/** How texts from elsewhere begin that the driver turns into its own language when they are pasted (`Console.readPasted`). */
	pastes: z.array(z.string().min(1)).default([]),
})
export type ConsoleManifest = z.infer<typeof consoleSchema>

export const manifestSchema = z.strictObject({
	id,
	displayName: z.string().min(1),
	description: z.string().min(1),
	publisher: z.string().min(1),
	category: z.string().min(1),
	/** One SVG element, drawn with `currentColor`. */
	icon: z.string().regex(/^<svg[\s\S]*<\/svg>$/),
	/** What a table is called here: "Index" and "Indices", for example. */
	tableNoun: noun,
	/** What a row is called here: "document" and "documents", for example. */
	rowNoun: noun.default({ one: 'row', many: 'rows' }),
	/** Who gives a new row its key: the engine where none is typed, or the person. */
	rowKey: z.enum(['generated', 'given']).default('given'),
	/** Rows can also be asked for in a query language of the engine's own (`GridQuery.raw`); what an empty box shows. */
	rawQuery: z.strictObject({ placeholder: z.string().min(1) }).optional(),
	console: consoleSchema.default({
		language: 'a statement in the language of the engine',
		placeholder: '',
		lineComments: [],
		blockComments: [],
		keywords: [],
		textBlocks: [],
		fileExtension: 'txt',
		canFormat: false,
		pastes: [],
	}),
	engines: z.strictObject({ roundhouse: z.string().min(1) }),
	/** The driver's module, relative to the package. */
	entry: z.string().regex(/^(?!.*\.\.)[A-Za-z0-9_./-]+\.js$/),
	permissions: permissionsSchema,
	form: z.array(formFieldSchema),
	/** `true`: the driver brings a small embedded data source. */
	hasSample: z.boolean().default(false),
	/** `true`: the engine can open a session in which it refuses every write itself (`DriverContext.isReadOnly`). */
	hasReadOnlySessions: z.boolean().default(false),
	/** `true`: the driver tells facts of connections and tables (`Connection.readFacts`). */
	hasFacts: z.boolean().default(false),
	tools: z.array(toolSchema).default([]),
	prompts: z.array(promptSchema).default([]),
	resources: z.array(resourceSchema).default([]),
	resourceTemplates: z.array(resourceTemplateSchema).default([]),
})
export type Manifest = z.infer<typeof manifestSchema>

/** The part of a driver's package.json that the host reads. */
export const packageSchema = z.object({
	name: z.string(),
	version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
	license: z.string().optional(),
	/** Files and folders that are packed as they are, beside the bundled entry. */
	files: z.array(z.string().regex(/^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]*$/)).default([]),
	roundhouse: manifestSchema,
})
