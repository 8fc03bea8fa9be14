import type { ToolHandler } from '@roundhouse/kit'
import { analyze, clusterHealth, getMapping, listAliases } from './inspect.ts'
import { restRequest } from './rest-request.ts'
import { aggregate, getDocument, search } from './search.ts'

/** The driver's own MCP tools, by their names in the manifest. */
export const tools: Readonly<Record<string, ToolHandler>> = {
	get_mapping: getMapping,
	get_document: getDocument,
	search,
	aggregate,
	cluster_health: clusterHealth,
	list_aliases: listAliases,
	analyze,
	rest_request: restRequest,
}
