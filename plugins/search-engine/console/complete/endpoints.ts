import { readEndpoints } from '../read-endpoints.ts'

/** Endpoints beside the reading ones, in the same notation: `:index` and `:x` stand for a name. */
const others: Readonly<Record<string, readonly string[]>> = {
	GET: [
		...'aliases allocation count health indices master nodes pending_tasks recovery segments shards tasks templates thread_pool'
			.split(' ')
			.map(name => `_cat/${name}`),
		...'health state stats settings pending_tasks'.split(' ').map(name => `_cluster/${name}`),
		'_nodes/stats',
	],
	POST: [
		...[':index/_doc', ':index/_doc/:x', ':index/_create/:x', ':index/_update/:x', ':index/_bulk', '_bulk', '_reindex'],
		...[':index/_update_by_query', ':index/_delete_by_query', ':index/_refresh', ':index/_flush', ':index/_forcemerge'],
		...[':index/_open', ':index/_close', ':index/_rollover', '_aliases', '_refresh', '_tasks/:x/_cancel'],
	],
	PUT: [
		...[':index', ':index/_doc/:x', ':index/_create/:x', ':index/_mapping', ':index/_settings', ':index/_alias/:x'],
		...['_bulk', '_cluster/settings', '_index_template/:x', '_component_template/:x', '_ingest/pipeline/:x'],
		...['_data_stream/:x', '_scripts/:x', '_snapshot/:x', '_ilm/policy/:x', ':index/_bulk'],
	],
	DELETE: [
		...[':index', ':index/_doc/:x', ':index/_alias/:x', '_pit', '_search/scroll', '_index_template/:x'],
		...['_component_template/:x', '_ingest/pipeline/:x', '_data_stream/:x', '_scripts/:x', '_ilm/policy/:x'],
	],
}

const templates: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
	['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].map(method => {
		const reads =
			method === 'GET' || method === 'HEAD' ? readEndpoints.GET : method === 'POST' ? readEndpoints.POST : []
		const own = others[method === 'HEAD' ? 'GET' : method] ?? []
		return [method, [...own, ...reads].map(template => template.split('/'))]
	}),
)

/** What the next segment may be: words of the API, and whether the name of an index can stand there. */
export function nextSegments(
	method: string,
	segments: readonly string[],
): { readonly words: ReadonlySet<string>; readonly takesIndex: boolean } {
	const words = new Set<string>()
	let takesIndex = false
	for (const template of templates[method] ?? []) {
		if (template.length <= segments.length || !segments.every((segment, at) => fits(template[at] ?? '', segment)))
			continue
		const next = template[segments.length] ?? ''
		if (next === ':index') takesIndex = true
		else if (next !== '' && next !== ':x' && next !== '**') words.add(next)
	}
	return { words, takesIndex }
}

function fits(part: string, segment: string): boolean {
	if (part === ':index') return !segment.startsWith('_') || segment === '_all'
	return part === ':x' || part === segment
}
