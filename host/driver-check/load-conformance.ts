import { access } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Conformance } from '@roundhouse/kit/conformance'
import { z } from 'zod'
import { messageOf } from '../../base/errors.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { checkErrors } from './errors.ts'

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
 * would. @returns `undefined` if the folder has none @throws HostError `check/conformance_unreadable`
 */
export async function loadConformance(folder: string): Promise<Conformance | undefined> {
	const file = join(folder, conformanceFile)
	const isThere = await access(file).then(
		() => true,
		() => false,
	)
	if (!isThere) return undefined
	const hooks = registerHooks({
		resolve(specifier, context, next) {
			try {
				return next(specifier, context)
			} catch (error) {
				// A new folder has no copy of the kit.
				if (!/^@roundhouse\/kit(\/|$)/.test(specifier)) throw error
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
		throw checkErrors.make('conformance_unreadable', { file: conformanceFile, reason }, { cause: error })
	} finally {
		hooks.deregister()
	}
}
