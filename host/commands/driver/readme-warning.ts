import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layout } from '../../../base/layout.ts'

/** Warns an author whose README.md is still that of a template. @returns no line, or one */
export async function readmeWarnings(folder: string): Promise<readonly string[]> {
	const own = await readFile(join(folder, 'README.md'), 'utf8').catch(() => undefined)
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

/** Whether a text is a template's with any values: the driver may have another name by now. */
function isFilled(template: string, text: string): boolean {
	const parts = template.split(/\{\{\w+\}\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
	return new RegExp(`^${parts.join('.*')}$`).test(text)
}
