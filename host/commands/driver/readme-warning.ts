import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layout } from '../../../base/layout.ts'
import { openRegularFile } from '../../../base/regular-file.ts'

/** Warns an author whose README.md is still that of a template. @returns no line, or one */
export async function readmeWarnings(folder: string): Promise<readonly string[]> {
	const own = await readOwn(join(folder, 'README.md')).catch(() => undefined)
	if (own === undefined) return []
	const templates = await readdir(layout.driverTemplates)
	const texts = await Promise.all(
		templates.map(template => readFile(join(layout.driverTemplates, template, 'README.md'), 'utf8')),
	)
	if (!texts.some(text => isFilled(text, own))) return []
	return [
		'Warning: README.md still has the text of the template. Users read it before they install: describe your driver.',
	]
}

/** Reads a file of an author, which may be a pipe or of any size. @throws Error */
async function readOwn(path: string): Promise<string | undefined> {
	await using file = await openRegularFile(path)
	return (await file.stat()).size > maxBytes ? undefined : await file.readFile('utf8')
}

/** Far more than a template has. */
const maxBytes = 64 * 1024

/** Whether a text is a template's with any values: the driver may have another name by now. */
function isFilled(template: string, text: string): boolean {
	const parts = template.split(/\{\{\w+\}\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
	return new RegExp(`^${parts.join('.*')}$`).test(text)
}
