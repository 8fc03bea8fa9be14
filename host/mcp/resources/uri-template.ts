/** An RFC 6570 template as a test for the URIs it may expand to: `{name}` is one segment, `{+name}` may hold slashes. */
export function templatePattern(template: string): RegExp {
	const parts = template.split(/(\{[^}]*\})/).map(part => {
		if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
		const operator = part[1] ?? ''
		if (operator === '?' || operator === '&') return '(?:[?&][^#]*)?'
		return operator === '+' || operator === '#' ? '.+' : '[^/?#]+'
	})
	return new RegExp(`^${parts.join('')}$`)
}
