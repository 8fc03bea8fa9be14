"""crewai as a program: see programs.ts for what it reads and prints. Its tools cannot ask the user anything."""

import json
import os
import sys

os.environ.update({"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true"})
# crewai prints what it does, and the answers need the output for themselves.
answers = sys.stdout
sys.stdout = open(os.devnull, "w")

from crewai.mcp import MCPServerHTTP, MCPServerStdio  # noqa: E402
from crewai.mcp.tool_resolver import MCPToolResolver  # noqa: E402
from crewai.tools.tool_failure import ToolFailure  # noqa: E402
from crewai.utilities.logger import Logger  # noqa: E402

reach = json.loads(os.environ["ROUNDHOUSE_REACH"])


def server():
    if "url" in reach:
        return MCPServerHTTP(url=reach["url"], headers={"Authorization": f"Bearer {reach['token']}"})
    return MCPServerStdio(command=reach["command"], args=reach["args"], env=reach["env"])


def do(tools, asked):
    if asked["do"] == "list":
        return list(tools)
    # As an agent runs it: crewai sends null for each optional argument that is left out.
    result = tools[asked["name"]].run(**asked["args"])
    if isinstance(result, ToolFailure):
        return {"isError": True, "text": result.message}
    return {"isError": False, "text": str(result)}


resolver = MCPToolResolver(agent=None, logger=Logger(verbose=False))
tools = {tool.original_tool_name: tool for tool in resolver.resolve([server()])}
for line in sys.stdin:
    try:
        answer = {"value": do(tools, json.loads(line))}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), file=answers, flush=True)
