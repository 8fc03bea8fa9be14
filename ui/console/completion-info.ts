import type { Completion } from '@codemirror/autocomplete'
import type { Completions } from '../../host/ui-server/api.ts'

type Option = Completions['options'][number]

/** An option of the driver's as the editor shows it: what it does, and where one can read more, stand beside the list. */
export function completionOf({ label, kind, detail, insert, info, url, isDeprecated }: Option): Completion {
	return {
		label,
		type: isDeprecated ? `${kind} deprecated` : kind,
		// The editor puts options in its own order; what is advised against stays last.
		...(isDeprecated && { boost: -99 }),
		...(detail !== undefined && { detail }),
		...(insert !== undefined && { apply: insert }),
		...((info !== undefined || url !== undefined || isDeprecated) && {
			info: () => explanation({ info, url, isDeprecated }),
		}),
	}
}

/** What the option's class in the list is. */
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
