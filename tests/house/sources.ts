import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The source files of this repository and their imports, for the tests of its structure. */

/** Every TypeScript and JavaScript file of the repository, including tests and new files. */
export const sources: readonly string[] = execFileSync(
	'git',
	[
		'ls-files',
		'--cached',
		'--others',
		'--exclude-standard',
		'base',
		'host',
		'plugins',
		'registry',
		'scripts',
		'tests',
		'ui',
	],
	{ encoding: 'utf8' },
)
	.split('\n')
	.filter(file => /(?<!\.d)\.(tsx?|mjs)$/.test(file) && existsSync(file))

/** Maps each export of our packages to its source file. */
const exported = new Map(
	['plugins/kit', 'registry'].flatMap(folder => {
		const { name, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
		const targets: [string, string][] = Object.entries<string>(exports)
		return targets.map(([path, file]) => [normalize(join(name, path)), normalize(join(folder, file))] as const)
	}),
)

export interface Import {
	readonly file: string
	readonly target: string
}

/** Returns the imports of one file that lead to other files of the repository, including types. */
function importsOf(file: string): Import[] {
	const found = readFileSync(file, 'utf8').matchAll(
		/^(?:import|export|\}).*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm,
	)
	return [...found].flatMap(([, named, bare, lazy]) => {
		const specifier = named ?? bare ?? lazy ?? ''
		const target = specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : exported.get(specifier)
		return target === undefined ? [] : [{ file, target }]
	})
}

export const imports: readonly Import[] = sources.flatMap(importsOf)

/** Returns the cycles of a graph, each as `a → b → a`. */
export function cyclesIn(targets: ReadonlyMap<string, ReadonlySet<string>>): string[] {
	const found: string[] = []
	const done = new Set<string>()
	const visit = (node: string, path: readonly string[]) => {
		const at = path.indexOf(node)
		if (at >= 0) return void found.push([...path.slice(at), node].join(' → '))
		if (done.has(node)) return
		for (const target of targets.get(node) ?? []) visit(target, [...path, node])
		done.add(node)
	}
	for (const node of targets.keys()) visit(node, [])
	return found
}
