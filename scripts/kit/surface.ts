import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAsync } from '@babel/core'
import { inCheckout } from '../layout.ts'
import { type AuthorPackage, emitPackage, readAuthorPackage } from './package.ts'

/**
 * Reads the public surface of a package for authors from the declarations that the compiler emits. TypeDoc and API Extractor need the
 * compiler's old API, which TypeScript 7 does not have.
 */

/** One exported name. */
export interface Declaration {
	readonly name: string
	/** Its docstring, as Markdown. Empty if it has none. */
	readonly docs: string
	/** Its declaration, with the docstrings of its members. */
	readonly code: string
	/** Its declaration without comments. */
	readonly signature: string
}

export interface Surface {
	/** Its folder in `plugins`. */
	readonly id: AuthorPackage
	readonly version: string
	/** By what a driver imports, for example `@roundhouse/kit/csv`. */
	readonly modules: readonly { readonly module: string; readonly declarations: readonly Declaration[] }[]
	/** The schema of the manifest, as the source of the kit. The SQL layer has none. */
	readonly manifest: readonly Declaration[]
}

export async function readSurface(id: AuthorPackage = 'kit'): Promise<Surface> {
	const staging = await mkdtemp(join(tmpdir(), 'roundhouse-kit-'))
	try {
		const [kit, folder] = [join(staging, 'kit'), join(staging, id)]
		await emitPackage('kit', kit)
		if (id !== 'kit') await emitPackage(id, folder, kit)
		const { name, version, publishConfig } = await readAuthorPackage(id)
		const modules = await Promise.all(
			Object.entries(publishConfig.exports).map(async ([entry, path]) => ({
				module: join(name, entry),
				declarations: await exportsOf(join(folder, path.replace(/\.js$/, '.d.ts'))),
			})),
		)
		await requireExported(
			folder,
			modules.flatMap(({ declarations }) => declarations),
		)
		return { id, version, modules, manifest: id === 'kit' ? await schemasOfManifest() : [] }
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

async function schemasOfManifest(): Promise<readonly Declaration[]> {
	const { declarations } = await readModule(inCheckout('plugins/kit/api/manifest.ts'))
	return declarations.filter(({ signature }) => /^(export )?const /.test(signature))
}

/** @throws Error for a name of the package that a public declaration uses, and that a driver cannot import */
async function requireExported(folder: string, declarations: readonly Declaration[]): Promise<void> {
	const known = new Set(declarations.map(({ name }) => name))
	const words = new Set(declarations.flatMap(({ signature }) => signature.match(/\w+/g) ?? []))
	for await (const file of glob('**/*.d.ts', { cwd: folder })) {
		const hidden = (await readModule(join(folder, file))).declarations.find(
			({ name, code }) =>
				/^(export )?(declare (class|const)|interface|type)/.test(code) && words.has(name) && !known.has(name),
		)
		if (hidden) throw new Error(`The public names use ${hidden.name}. Export it, too.`)
	}
}

/** Returns what a module exports, in its order: its own declarations, and those of the modules that it names. */
async function exportsOf(file: string): Promise<readonly Declaration[]> {
	const { declarations, named } = await readModule(file)
	const others = named.map(async ({ name, from }) => {
		const found = (await exportsOf(join(file, '..', from.replace(/\.ts$/, '.d.ts')))).find(one => one.name === name)
		if (!found) throw new Error(`${from} does not export ${name}.`)
		return found
	})
	return [...(await Promise.all(others)), ...declarations.filter(({ code }) => code.startsWith('export '))]
}

async function readModule(file: string) {
	const text = await readFile(file, 'utf8')
	const tree = await parseAsync(text, {
		filename: file,
		babelrc: false,
		configFile: false,
		parserOpts: { plugins: [['typescript', { dts: file.endsWith('.d.ts') }]] },
	})
	const declarations: Declaration[] = []
	const named: { readonly name: string; readonly from: string }[] = []
	for (const statement of tree?.program.body ?? []) {
		if (statement.type === 'ExportNamedDeclaration' && statement.source) {
			for (const { exported } of statement.specifiers)
				named.push({ name: 'name' in exported ? exported.name : exported.value, from: statement.source.value })
			continue
		}
		const [start, end] = [statement.start ?? 0, statement.end ?? 0]
		const code = text.slice(start, end)
		const name = /^(?:export )?(?:declare )?(?:const|function|class|interface|type) (\w+)/.exec(code)?.[1]
		if (name === undefined) continue
		const comments = (tree?.comments ?? []).filter(comment => (comment.start ?? 0) > start && (comment.end ?? 0) < end)
		const signature = comments.reduceRight(
			(rest, comment) => rest.slice(0, (comment.start ?? 0) - start).trimEnd() + rest.slice((comment.end ?? 0) - start),
			code,
		)
		const docstring = statement.leadingComments?.at(-1)
		const isAdjacent = docstring?.loc?.end.line === (statement.loc?.start.line ?? 0) - 1
		declarations.push({ name, docs: isAdjacent ? markdownOf(docstring?.value ?? '') : '', code, signature })
	}
	return { declarations, named }
}

function markdownOf(docstring: string): string {
	return docstring
		.replace(/^\s*\*+ ?/gm, '')
		.replace(/\{@link ([^}]*)\}/g, '`$1`')
		.replace(/\s*@throws /g, '\n\nThrows ')
		.replace(/\s*@param (\w+) /g, '\n\n`$1` ')
		.replace(/\s*@returns /g, '\n\nReturns ')
		.trim()
}
