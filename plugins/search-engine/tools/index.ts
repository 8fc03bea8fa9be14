import type { ToolHandler } from '@roundhouse/kit'
import { analyze, clusterHealth, getMapping, listAliases } from './inspect.ts'
import { aggregate, getDocument, search } from './search.ts'

/** The driver's MCP tools, by their names in the manifest. */
export const tools: Readonly<Record<string, ToolHandler>> = {
	get_mapping: getMapping,
	get_document: getDocument,
	search,
	aggregate,
	cluster_health: clusterHealth,
	list_aliases: listAliases,
	analyze,
}
