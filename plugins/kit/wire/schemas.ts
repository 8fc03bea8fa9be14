import { z } from 'zod'
import { type DriverErrorCode, driverErrorCodes } from '../api/errors.ts'
import type { DriverMessage, DriverMethod } from './messages.ts'

/** The host's check of everything a driver process says. Apart from wire.ts, so that a driver starts without zod. */

const id = z.int().nonnegative()
const count = z.object({ value: z.number().nonnegative(), isExact: z.boolean() })
const bytes = z.instanceof(Uint8Array)
const shortText = z.string().max(100_000)
const settings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** Driver to host. The driver is not trusted: whatever does not fit ends the process. */
export const driverMessageSchema: z.ZodType<DriverMessage> = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('hello'), kit: z.string().max(40), hasSample: z.boolean() }),
	z.object({ kind: z.literal('beat') }),
	z.object({ kind: z.literal('log'), message: z.string().max(4000) }),
	z.object({
		kind: z.literal('progress'),
		id,
		progress: z.object({
			done: z.number(),
			total: z.number().exactOptional(),
			message: z.string().max(1000).exactOptional(),
		}),
	}),
	z.object({ kind: z.literal('result'), id, value: z.unknown() }),
	z.object({ kind: z.literal('bytes'), id }),
	z.object({
		kind: z.literal('error'),
		id,
		code: z.enum(Object.keys(driverErrorCodes) as [DriverErrorCode, ...DriverErrorCode[]]),
		message: shortText,
	}),
])

/** What each method may answer. */
export const resultSchemas: { readonly [M in DriverMethod]: z.ZodType } = {
	connect: z.object({
		connection: id,
		info: z.object({ product: shortText, version: shortText, notices: z.array(shortText).max(100) }),
	}),
	disconnect: z.null(),
	listTables: z
		.array(
			z.object({
				name: shortText,
				rowCount: z.number().nonnegative().exactOptional(),
				sizeBytes: z.number().nonnegative().exactOptional(),
			}),
		)
		.max(1_000_000),
	describeTable: bytes,
	openGrid: id,
	gridPage: bytes,
	closeGrid: z.null(),
	openExport: id,
	readExport: bytes.nullable(),
	closeExport: z.null(),
	countRows: count,
	readRow: bytes,
	previewChanges: z.array(z.string()),
	applyChanges: z.array(
		z.discriminatedUnion('status', [
			z.object({ status: z.literal('applied'), rowId: shortText.exactOptional(), version: shortText.exactOptional() }),
			z.object({ status: z.literal('conflict'), message: shortText }),
			z.object({ status: z.literal('failed'), message: shortText }),
			z.object({ status: z.literal('unknown'), message: shortText }),
			z.object({ status: z.literal('not_sent') }),
		]),
	),
	parseConsole: z.array(z.object({ start: id, end: id, text: z.string() })),
	classify: z.object({
		access: z.enum(['read', 'write', 'destructive']),
		summary: shortText,
		grantTarget: z.string().min(1).max(1000).exactOptional(),
	}),
	assess: z.object({ affects: count.exactOptional(), destroys: shortText.exactOptional() }),
	completeConsole: z.object({
		from: id,
		options: z
			.array(
				z.object({
					label: shortText,
					kind: z.enum(['method', 'endpoint', 'parameter', 'keyword', 'table', 'column']),
					detail: shortText.exactOptional(),
					insert: shortText.exactOptional(),
				}),
			)
			.max(1000),
	}),
	runConsole: bytes,
	checkArguments: z.string().max(2000).nullable(),
	callTool: bytes,
	getPrompt: bytes,
	readResource: bytes,
	complete: z.object({
		values: z.array(z.string()).max(100),
		total: z.int().exactOptional(),
		hasMore: z.boolean().exactOptional(),
	}),
	startSample: z.object({ settings, url: z.url({ protocol: /^http$/ }) }),
}
