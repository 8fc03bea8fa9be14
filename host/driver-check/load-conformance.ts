import { access, readFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Conformance } from '@roundhouse/kit/conformance'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { authorFile, authorPlace } from './author-place.ts'
import { checkErrors } from './errors.ts'
import { Fault } from './findings.ts'

export const conformanceFile = 'conformance.ts'

/** Checks the outline only: the file is the author's own code, and its types say the rest. */
const outline = z.object({
	default: z.looseObject({
		fixture: z.union([
			z.object({ settings: z.record(z.string(), z.unknown()) }),
			z.object({ sample: z.literal(true) }),
			z.object({ start: z.function() }),
		]),
	}),
})

/**
 * Loads the conformance file of a driver. It runs in this process with all rights of the user, as a test of the driver
 * would. @returns `undefined` if the folder has none @throws HostError `check/conformance_unreadable`,
 * caused by a {@link Fault} with its place
 */
export async function loadConformance(folder: string): Promise<Conformance | undefined> {
	const file = join(folder, conformanceFile)
	const isThere = await access(file).then(
		() => true,
		() => false,
	)
	if (!isThere) return undefined
	let lastLoaded: string | undefined
	let unresolved: Import | undefined
	const hooks = registerHooks({
		load(url, context, next) {
			lastLoaded = url
			return next(url, context)
		},
		resolve(specifier, context, next) {
			try {
				return next(specifier, context)
			} catch (error) {
				// A new folder has no copy of the kit.
				if (!/^@roundhouse\/kit(\/|$)/.test(specifier)) {
					unresolved ??= { specifier, importer: context.parentURL ?? '' }
					throw error
				}
				const path = createRequire(import.meta.url).resolve(specifier)
				return { url: pathToFileURL(path).href, shortCircuit: true }
			}
		},
	})
	try {
		const module: unknown = await import(pathToFileURL(file).href)
		outline.parse(module)
		return (module as { readonly default: Conformance }).default
	} catch (error) {
		const reason = error instanceof z.ZodError ? reasonOf(error) : messageOf(error)
		const place =
			authorPlace(error, folder) ??
			(unresolved && (await placeOfImport(unresolved, folder))) ??
			// Of an early error, the stack names no file. The module that was loaded last has it.
			(error instanceof SyntaxError && lastLoaded !== undefined ? authorFile(lastLoaded, folder) : undefined)
		const cause = new Fault(place ?? conformanceFile, reason)
		throw checkErrors.make('conformance_unreadable', { file: conformanceFile, reason }, { cause })
	} finally {
		hooks.deregister()
	}
}

/** Returns the place in the author's folder of an error of {@link loadConformance} or of the fixture. */
export function conformancePlace(error: unknown): string | undefined {
	return error instanceof Error && error.cause instanceof Fault ? error.cause.place : undefined
}

/** An import that cannot be resolved. */
interface Import {
	readonly specifier: string
	/** URL of the module that contains it. */
	readonly importer: string
}

/** Returns the file and line of an import, if a file of the author contains it. */
async function placeOfImport({ specifier, importer }: Import, folder: string): Promise<string | undefined> {
	const file = authorFile(importer, folder)
	if (file === undefined) return undefined
	const lines = (await readFile(fileURLToPath(importer), 'utf8')).split('\n')
	const at = lines.findIndex(line => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`))
	return at < 0 ? file : `${file}:${at + 1}`
}
