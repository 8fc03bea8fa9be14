import type { Completion } from '@codemirror/autocomplete'
import type { Completions } from '../../host/api/api.ts'

type Option = Completions['options'][number]

/** A driver's completion option in the editor. Its description and link are shown beside the list. */
export function completionOf({ label, kind, detail, insert, info, url, isDeprecated }: Option): Completion {
	return {
		label,
		type: isDeprecated ? `${kind} deprecated` : kind,
		// The editor sorts options by itself; deprecated ones stay last.
		...(isDeprecated && { boost: -99 }),
		...(detail !== undefined && { detail }),
		...(insert !== undefined && { apply: insert }),
		...((info !== undefined || url !== undefined || isDeprecated) && {
			info: () => explanation({ info, url, isDeprecated }),
		}),
	}
}

/** CSS class of the option in the list. */
export function optionClass({ type }: Completion): string {
	return type?.endsWith(' deprecated') ? 'cm-deprecated' : ''
}

function explanation({ info, url, isDeprecated }: { [Name in 'info' | 'url' | 'isDeprecated']: Option[Name] }): Node {
	const root = document.createElement('div')
	if (isDeprecated) root.append(paragraph('Deprecated.'))
	if (info !== undefined) root.append(paragraph(info))
	if (url !== undefined) {
		const link = document.createElement('a')
		Object.assign(link, { href: url, target: '_blank', rel: 'noreferrer', textContent: 'Documentation' })
		root.append(link)
	}
	return root
}

function paragraph(text: string): HTMLElement {
	const found = document.createElement('p')
	found.textContent = text
	return found
}
