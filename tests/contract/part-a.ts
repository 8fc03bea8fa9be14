import type { Requirement } from './requirement.ts'

/** Part A of the contract: the local MCP endpoint. */
export const partA = [
	{
		id: 'A.service.loopback',
		rule: 'The endpoint binds only the loopback address and speaks plain HTTP.',
		where: 'What the service does, 2',
	},
	{
		id: 'A.service.instructions',
		rule: 'The instructions send a model to list_connections first, to describe_table before a query, and call a refusal policy.',
		where: 'What the service does, 4',
	},
	{
		id: 'A.envelope.jsonrpc',
		rule: '`jsonrpc` is "2.0"; anything else is -32600.',
		where: 'Request envelope',
	},
	{
		id: 'A.envelope.id',
		rule: '`id` is an integer or a string, is echoed with its type and digits, and is absent on notifications.',
		where: 'Request envelope',
	},
	{
		id: 'A.envelope.params',
		rule: '`params` is an object.',
		where: 'Request envelope',
	},
	{
		id: 'A.envelope.batch',
		rule: 'A batch is -32600: batching is not implemented.',
		where: 'Versioning, 1',
	},
	{
		id: 'A.meta.version-missing',
		rule: 'A modern request whose protocolVersion is missing, empty or no text is -32602.',
		where: 'params._meta',
	},
	{
		id: 'A.meta.version-unsupported',
		rule: 'An unsupported protocolVersion is -32022 with data.supported.',
		where: 'params._meta',
	},
	{
		id: 'A.meta.capabilities',
		rule: 'clientCapabilities is required; {} is valid; a non-object is -32602.',
		where: 'params._meta',
	},
	{
		id: 'A.meta.client-info',
		rule: 'clientInfo is optional.',
		where: 'params._meta',
	},
	{
		id: 'A.meta.progress-token',
		rule: 'progressToken is a string or an integer and comes back as it was sent.',
		where: 'params._meta',
	},
	{
		id: 'A.meta.trace',
		rule: 'traceparent, tracestate and baggage disturb nothing.',
		where: 'params._meta',
	},
	{
		id: 'A.result.type',
		rule: 'A modern result carries resultType complete or input_required.',
		where: 'Result envelope',
	},
	{
		id: 'A.result.tool',
		rule: 'A tool result carries content of text blocks, structuredContent, and isError where it failed.',
		where: 'Result envelope',
	},
	{
		id: 'A.result.server-info',
		rule: 'A modern result names the server in its _meta.',
		where: 'Result envelope',
	},
	{
		id: 'A.result.legacy',
		rule: 'Legacy results carry no resultType, no cache hints and no serverInfo.',
		where: 'Result envelope',
	},
	{
		id: 'A.result.hint-stripped',
		rule: 'A cache hint on the result of a method that may not carry one is stripped.',
		where: 'Errors, rule 3',
	},
	{
		id: 'A.discover.versions',
		rule: 'supportedVersions lists the three revisions.',
		where: 'server/discover result',
	},
	{
		id: 'A.discover.capabilities',
		rule: 'The capabilities are exactly those of the table.',
		where: 'server/discover result',
	},
	{
		id: 'A.discover.identity',
		rule: 'serverInfo has name, version, title and a website URL in server/discover.',
		where: 'server/discover result',
	},
	{
		id: 'A.input.shape',
		rule: 'An input_required result carries inputRequests keyed approve_statement with a form of one boolean, and a requestState.',
		where: 'input_required result',
	},
	{
		id: 'A.input.bound',
		rule: 'requestState is bound to the token, the method and a digest of the parameters.',
		where: 'input_required result',
	},
	{
		id: 'A.input.expires',
		rule: 'requestState expires after 5 minutes.',
		where: 'input_required result',
	},
	{
		id: 'A.tool-error.shape',
		rule: 'A tool failure is a complete result with isError and a text that starts with one of the codes.',
		where: 'Tool error result',
	},
	{
		id: 'A.tool-error.redacted',
		rule: 'Error text is redacted: a driver message that echoes a password does not reach the client.',
		where: 'Tool error result',
	},
	{
		id: 'A.handshake.port',
		rule: 'The port is published in mcp-handshake.json in the support directory.',
		where: 'Handshake file',
	},
	{
		id: 'A.approval.dialog',
		rule: 'Without elicitation a dialog asks on the machine and the call waits for the answer.',
		where: 'Write approval',
	},
	{
		id: 'A.approval.accept',
		rule: 'With accept, approved true, a valid state and the same parameters the statement runs.',
		where: 'Write approval',
	},
	{
		id: 'A.approval.refused',
		rule: 'An action other than accept, or approved not true, is the tool error denied.',
		where: 'Write approval',
	},
	{
		id: 'A.approval.other-methods',
		rule: 'prompts/get and resources/read can need input too, and their repeated call is bound in the same way.',
		where: 'Write approval',
	},
	{
		id: 'A.approval.changed',
		rule: 'A changed argument, or a bad or expired state, is -32602.',
		where: 'Write approval',
	},
	{
		id: 'A.approval.not-cached',
		rule: 'A call that carries inputResponses or requestState is never cached.',
		where: 'Write approval',
	},
	{
		id: 'A.lifecycle.cancelled',
		rule: 'notifications/cancelled from the same token ends a running request with -33002 at 200.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.cancel-accepted',
		rule: 'The cancellation itself is answered 202, whether anything matched or not.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.cancel-own',
		rule: 'A token can cancel only its own requests.',
		where: 'Cancellation',
	},
	{
		id: 'A.lifecycle.revoked',
		rule: 'Revoking a token cancels all its requests in flight.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.deadline',
		rule: 'A handler that runs 330 seconds ends with -33003 at 200.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.dropped',
		rule: 'A dropped connection cancels its request and stops the running query.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.listen-no-deadline',
		rule: 'subscriptions/listen is not subject to the handler deadline.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.lifecycle.statement-timeout',
		rule: 'A statement that runs into its own time limit is stopped.',
		where: 'Request lifecycle',
	},
	{
		id: 'A.session.initialize',
		rule: 'initialize with a legacy version opens a session and answers with version, capabilities, serverInfo and instructions.',
		where: 'Legacy session',
	},
	{
		id: 'A.session.version',
		rule: 'initialize with another version is -32022 and opens no session.',
		where: 'Legacy session',
	},
	{
		id: 'A.session.owner',
		rule: 'A session id under a different token is -33001, and the session stays.',
		where: 'Legacy session',
	},
	{
		id: 'A.session.eviction',
		rule: 'At most 16 sessions are kept; the least recently used goes first; an unknown one is -33001.',
		where: 'Legacy session',
	},
	{
		id: 'A.transport.options',
		rule: 'OPTIONS /mcp is 204.',
		where: 'Transport',
	},
	{
		id: 'A.transport.method',
		rule: 'GET and DELETE /mcp are 405 with Allow: POST, OPTIONS.',
		where: 'Transport',
	},
	{
		id: 'A.transport.path',
		rule: 'Any other path is 404.',
		where: 'Transport',
	},
	{
		id: 'A.transport.host',
		rule: 'Host names a loopback host and, if it has a port, the bound one; otherwise 403 forbidden_host.',
		where: 'Transport, rule 1',
	},
	{
		id: 'A.transport.origin',
		rule: 'Origin, when present, is an allowed one; otherwise 403 forbidden_origin.',
		where: 'Transport, rule 2',
	},
	{
		id: 'A.transport.notifications',
		rule: 'Notifications other than cancellations are accepted with 202 and dropped.',
		where: 'Transport, rule 3',
	},
	{
		id: 'A.headers.content-type',
		rule: 'Content-Type is application/json or a +json type.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.version',
		rule: 'MCP-Protocol-Version is there and equals the version of the body.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.method',
		rule: 'Mcp-Method is there and equals the method of the body.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.name',
		rule: 'Mcp-Name equals params.name of tools/call and prompts/get, and params.uri of resources/read.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.param',
		rule: 'Mcp-Param-<field> is checked when sent: by name without case, in arguments or params, at any depth.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.param-types',
		rule: 'Strings compare as text, numbers numerically, booleans as words; an array or object never matches.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.headers.base64',
		rule: 'Values that are not plain ASCII are wrapped in base64; a malformed wrapper or a control character is -32020.',
		where: 'Required headers (modern era)',
	},
	{
		id: 'A.methods.table',
		rule: 'Each method answers in its eras and nowhere else.',
		where: 'Methods',
	},
	{
		id: 'A.methods.unknown',
		rule: 'An unknown method, or one of the other era, is HTTP 404 with -32601.',
		where: 'Methods',
	},
	{
		id: 'A.methods.scopes',
		rule: 'Each method needs the scope of the table.',
		where: 'Methods',
	},
	{
		id: 'A.methods.unknown-name',
		rule: 'An unknown tool, prompt or resource is -32602.',
		where: 'Protocol errors',
	},
	{
		id: 'A.methods.tools',
		rule: 'The known tools are there, with their known arguments.',
		where: 'Methods',
	},
	{
		id: 'A.pages.size',
		rule: 'The four list methods return 50 items a page and a nextCursor while more remain.',
		where: 'Pagination',
	},
	{
		id: 'A.pages.bound',
		rule: 'A cursor used on another method, or made up, is -32602.',
		where: 'Pagination',
	},
	{
		id: 'A.progress.stream',
		rule: 'With a progress token the response is text/event-stream of unnamed frames; the response is the last.',
		where: 'Progress streaming',
	},
	{
		id: 'A.progress.increases',
		rule: 'Progress that does not advance is dropped.',
		where: 'Progress streaming',
	},
	{
		id: 'A.progress.execute-query',
		rule: 'execute_query reports 0.0, 0.3 and 1.0.',
		where: 'Progress streaming',
	},
	{
		id: 'A.progress.shape',
		rule: 'A progress notification carries progressToken, progress, total and message.',
		where: 'Progress notification',
	},
	{
		id: 'A.errors.parse',
		rule: 'A body that is not JSON is -32700 at 400.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.response',
		rule: 'A JSON-RPC response sent to the server is -32600 at 400.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.capability',
		rule: 'A missing client capability is -32021 at 400 with data.requiredCapabilities.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.disabled',
		rule: 'A disabled server is -33006 at 503.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.internal',
		rule: 'An internal error is -32603 at 500 and says nothing of its cause.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.registry',
		rule: 'Each code of the table has its HTTP status, and there are no others.',
		where: 'Protocol errors',
	},
	{
		id: 'A.errors.unavailable',
		rule: 'While the service is shutting down it answers -33000 at 503.',
		where: 'Protocol errors',
	},
	{
		id: 'A.auth.token',
		rule: 'Tokens have a recognisable prefix and are bound to scopes and a connection allow-list.',
		where: 'Authentication, MCP endpoint, 1',
	},
	{
		id: 'A.auth.missing',
		rule: 'A missing token is 401 -33009 with the realm challenge.',
		where: 'Authentication, MCP endpoint, 4',
	},
	{
		id: 'A.auth.unknown',
		rule: 'An unknown or revoked token is 401 -33009 with error="invalid_token".',
		where: 'Authentication, MCP endpoint, 4',
	},
	{
		id: 'A.auth.expired',
		rule: 'An expired token is 401 -33008 with error_description="token expired".',
		where: 'Authentication, MCP endpoint, 4',
	},
	{
		id: 'A.auth.scope',
		rule: 'A scope failure is 403 -33007 with error="insufficient_scope" and data.requiredScopes.',
		where: 'Authentication, MCP endpoint, 4',
	},
	{
		id: 'A.auth.policy',
		rule: 'The allow-list, the AI policy and external access refuse with -33007.',
		where: 'Authentication, MCP endpoint, 5',
	},
	{
		id: 'A.auth.filtered',
		rule: 'tools/list holds what the token can call; a resource read is limited by its connections.',
		where: 'Authentication, MCP endpoint, 3',
	},
	{
		id: 'A.auth.off',
		rule: 'With authentication off a request without a token is served and a wrong token is still refused.',
		where: 'Authentication, MCP endpoint, 1',
	},
	{
		id: 'A.limits.body',
		rule: 'A body over 10 MB is 413 -33005, counted while it is read.',
		where: 'Limits',
	},
	{
		id: 'A.limits.headers',
		rule: 'Headers over 16 KB are refused.',
		where: 'Limits',
	},
	{
		id: 'A.limits.connections',
		rule: 'At most 64 connections are open at once.',
		where: 'Limits',
	},
	{
		id: 'A.limits.idle',
		rule: 'An idle connection is closed; a waiting stream is kept alive.',
		where: 'Limits',
	},
	{
		id: 'A.limits.cache',
		rule: 'Cache hints have the values of the table.',
		where: 'Limits',
	},
	{
		id: 'A.limits.rates',
		rule: 'Requests of one caller are limited: 429 -33010 with Retry-After; another caller is not affected.',
		where: 'Limits',
	},
	{
		id: 'A.limits.lockout',
		rule: 'Repeated failed authentication is locked out, each presented token by itself.',
		where: 'Limits',
	},
	{
		id: 'A.versions.unsupported',
		rule: 'An unsupported version is -32022 with data.supported.',
		where: 'Versioning, 3',
	},
	{
		id: 'A.versions.2025-03-26',
		rule: '2025-03-26 is not accepted.',
		where: 'Versioning, 1',
	},
	{
		id: 'A.versions.legacy',
		rule: 'A request without a version is legacy; legacy clients see subscribe false.',
		where: 'Versioning, 4',
	},
	{
		id: 'A.versions.bridge',
		rule: 'The stdio bridge calls server/discover first and refuses to start without 2026-07-28.',
		where: 'Versioning, 5',
	},
	{
		id: 'A.events.listen',
		rule: 'subscriptions/listen acknowledges the honoured filter first and then sends only what was asked for.',
		where: 'Events',
	},
] as const satisfies readonly Requirement[]
