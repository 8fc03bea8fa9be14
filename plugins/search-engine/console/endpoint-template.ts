/**
 * Path templates: Path templates, compared with the segments of a path. `:x` matches any segment. `:name` matches a
 * segment that does not begin with `_`, and `:index` matches the same or `_all`. A final `**` matches one or more
 * remaining segments.
 */
export type EndpointTemplate = readonly string[]

export function endpointTemplate(text: string): EndpointTemplate {
	return text === '' ? [] : text.split('/')
}

export function matches(template: EndpointTemplate, segments: readonly string[]): boolean {
	const isOpen = template.at(-1) === '**'
	const fixed = isOpen ? template.slice(0, -1) : template
	if (isOpen ? segments.length <= fixed.length : segments.length !== fixed.length) return false
	return fixed.every((part, index) => {
		const segment = segments[index] ?? ''
		if (part === ':name') return !segment.startsWith('_')
		if (part === ':index') return !segment.startsWith('_') || segment === '_all'
		return part === ':x' || part === segment
	})
}
