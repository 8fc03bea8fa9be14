import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { reasonOf } from '../../../base/reason-of.ts'
import { connectionOf, type ForeignConnection, unfit } from './foreign-connection.ts'
import { accountIn, filledIn, type Variables } from './variables.ts'

/**
 * The databases of a `compose.yaml`: https://docs.docker.com/reference/compose-file/services/. A service is one if a
 * driver has the name of its image. It is reached on this machine, at the port that it publishes.
 */

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const portSchema = z.union([
	z.string(),
	z.number(),
	z.object({ published: z.union([z.string(), z.number()]).optional() }),
])
const serviceSchema = z.object({
	image: z.string().optional(),
	environment: z.union([z.record(z.string(), scalar), z.array(scalar)]).nullish(),
	ports: z.array(portSchema).nullish(),
})
const fileSchema = z.object({ name: z.string().optional(), services: z.record(z.string(), serviceSchema) })

const none: Variables = new Map()

/** Fills in the defaults of variables, because their values are elsewhere. `$$` is one `$`. */
function interpolated(text: string): string | undefined {
	const parts = text.split('$$').map(part => filledIn(part, none))
	return parts.includes(undefined) ? undefined : parts.join('$')
}

export function readCompose(text: string): readonly ForeignConnection[] {
	const file = fileSchema.safeParse(parsed(text))
	if (!file.success) throw unfit(reasonOf(file.error))
	const { name: group, services } = file.data
	return Object.entries(services).flatMap(([name, { image = '', environment, ports }]) => {
		const [, ofImage = ''] = /(?:^|\/)([^/:@]+)(?:[:@][^/]*)?$/.exec(interpolated(image) ?? '') ?? []
		const port = publishedPort(ports ?? [])
		const account = accountIn(variablesOf(environment ?? []))
		return [
			connectionOf({
				name,
				group: interpolated(group ?? ''),
				isGuess: true,
				engines: ofImage.toLowerCase().split(/[^a-z0-9]+/),
				host: 'localhost',
				port,
				...account,
				fault: port === undefined ? 'it publishes no port that the file names' : undefined,
			}),
		]
	})
}

function parsed(text: string): unknown {
	const lineCounter = new LineCounter()
	const at = (offset: number) => `Line ${lineCounter.linePos(offset).line}`
	try {
		const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true, logLevel: 'silent' })
		const [error] = document.errors
		if (error) throw unfit(`${at(error.pos[0])} is not valid YAML.`)
		// Aliases of aliases are refused.
		return document.toJS({ maxAliasCount: 100 })
	} catch (error) {
		if (error instanceof ReferenceError || error instanceof RangeError || error instanceof TypeError)
			throw unfit('Its YAML is nested too deep, or has too many aliases.')
		throw error
	}
}

/** Values that another file or the environment gives are left out. */
function variablesOf(environment: Readonly<Record<string, unknown>> | readonly unknown[]): Variables {
	const pairs = Array.isArray(environment)
		? environment.map(written => /^([^=]*)=(.*)$/s.exec(String(written)) ?? []).map(([, name, value]) => [name, value])
		: Object.entries(environment)
	return new Map(
		pairs.flatMap(([name, written]) => {
			const value = written === null || written === undefined ? undefined : interpolated(String(written))
			return name === undefined || value === undefined ? [] : [[String(name), value] as const]
		}),
	)
}

/** Returns the first port of this machine: `5433:5432`, `127.0.0.1:5433:5432`, or `published`. */
function publishedPort(ports: readonly z.output<typeof portSchema>[]): string | undefined {
	for (const port of ports) {
		const written = typeof port === 'object' ? String(port.published ?? '') : (interpolated(String(port)) ?? '')
		const [, published] = (typeof port === 'object' ? /^(\d+)$/ : /(?:^|:)(\d+):\d+(?:\/tcp)?$/).exec(written) ?? []
		if (published !== undefined) return published
	}
	return undefined
}
