import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { kitVersion } from '@roundhouse/kit/version'
import { layout } from '../../../base/layout.ts'
import { type CommandContext, print } from '../context.ts'

/** Templates whose fixture uses a module that Node's permissions do not cover, and gives the driver a file. */
const needsRights: ReadonlySet<string> = new Set(['sql'])

/**
 * Creates a driver in a new folder from a template.
 * @returns why the folder cannot be used, or `undefined` if the driver was created
 */
export async function newDriver(context: CommandContext, id: string, template: string): Promise<string | undefined> {
	const folder = resolve(id)
	const before = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return []
		throw error
	})
	if (before.length > 0) return `The folder ${id} is not empty. Choose another name, or empty it first.`
	await mkdir(folder, { recursive: true })
	await cp(join(layout.driverTemplates, template), folder, { recursive: true })
	const files = (await readdir(folder)).sort()
	const values = { id, name: displayNameOf(id), year: String(new Date().getFullYear()), kit: kitVersion }
	for (const file of files) await fillIn(join(folder, file), values)
	const rights = needsRights.has(template) ? ' --unconfined' : ''
	const words = { dev: rights, check: rights, publish: ' --registry FOLDER' }
	const place = relative('', folder)
	const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
	const commands = [
		...(dependencies ? [`npm install --prefix ${place}`] : []),
		...Object.entries(words).map(([name, word]) => `roundhouse driver ${name} ${place}${word}`),
	]
	const text = [`Created ${id}:`, ...files.map(file => `  ${file}`), 'Next:', ...commands.map(line => `  ${line}`)]
	print(context, { id, template, folder, files, next: commands }, text.join('\n'))
	return undefined
}

/** `red-shelf` becomes `Red shelf`. */
function displayNameOf(id: string): string {
	const words = id.replaceAll('-', ' ')
	return words.charAt(0).toUpperCase() + words.slice(1)
}

async function fillIn(file: string, values: Readonly<Record<string, string>>): Promise<void> {
	const text = await readFile(file, 'utf8')
	const filled = text.replaceAll(/\{\{(id|name|year|kit)\}\}/g, (_, key: string) => values[key] ?? '')
	if (filled !== text) await writeFile(file, filled)
}
