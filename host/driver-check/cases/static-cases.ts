import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kitVersion } from '@roundhouse/kit/version'
import { satisfies } from 'semver'
import type { RunsOf } from './run.ts'

/** What can be seen in the package without running it. */

/**
 * Modules that the sandbox refuses, whatever the manifest says. Only imports are found that run when the module is
 * loaded: a library may contain a `require` that it never reaches.
 */
const refusedImport = /^import\b[^'"]*['"](?:node:)?(sqlite|child_process|cluster|inspector|ffi)(?:\/\w+)?['"]/gm

export const staticCases: RunsOf<'static'> = {
	'static.api': async ({ subject }, report) => {
		const range = subject.manifest.engines.roundhouse
		if (satisfies(kitVersion, range)) return
		report(
			'package.json: roundhouse.engines.roundhouse',
			`${range} does not include ${kitVersion}, the API of this host.`,
		)
	},
	'static.same-bytes': async ({ subject }, report) => {
		if (subject.tarball.equals(subject.again)) return
		report('package', 'Two packs differ, so others cannot verify the release by packing it.')
	},
	// The check has unpacked the package before it runs cases.
	'static.unpacks': async () => {},
	'static.licence': async ({ subject: { license, files } }, report) => {
		if (license === 'UNLICENSED') report('package.json: license', 'The package names no licence.')
		if (!files.LICENSE) report('LICENSE', 'The package does not contain the text of its licence.')
	},
	'static.readme': async ({ subject }, report) => {
		if (!subject.files['README.md']) report('README.md', 'The package has no README.md.')
	},
	'static.builtins': async ({ subject: { files, folder } }, report) => {
		for (const file of Object.keys(files)) {
			if (file.endsWith('.node')) report(file, 'Native code cannot be loaded in the sandbox.')
			if (!/\.[cm]?js$/.test(file)) continue
			const code = await readFile(join(folder, file), 'utf8')
			for (const { 1: name, index } of code.matchAll(refusedImport)) {
				const line = code.slice(0, index).split('\n').length
				report(`${file}:${line}`, `The sandbox refuses node:${name}.`)
			}
		}
	},
}
