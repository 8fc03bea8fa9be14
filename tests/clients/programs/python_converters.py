"""Converts a list of tools as two agent frameworks do. Reads MCP tools as JSON, and prints what each refuses, by name."""

import copy
import json
import sys

from agents.strict_schema import ensure_strict_json_schema
from google.genai._mcp_utils import mcp_to_gemini_tool
from mcp.types import Tool


def fault(convert, value):
    try:
        convert(value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


found = {"google-genai": {}, "openai-agents": {}}
for source in json.load(sys.stdin):
    schema = copy.deepcopy(source["inputSchema"])
    faults = {
        "google-genai": fault(mcp_to_gemini_tool, Tool.model_validate(source)),
        "openai-agents": fault(ensure_strict_json_schema, schema),
    }
    for name, text in faults.items():
        if text:
            found[name][source["name"]] = text
print(json.dumps(found))
