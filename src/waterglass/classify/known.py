"""What tools do: data for `classify.table`, looked up with lower-cased names.

Each value: the category, then the arguments that name the call in its label, best first; "+key" stands beside what came
before it ("Grep: pattern, path"). A module and not a sheet of text: every reading of a transcript needs it, and Python
keeps it compiled, where a parser of its own takes 9 ms.
"""

from __future__ import annotations

TOOLS = {
    # Claude Code
    "read": "read file_path path",
    "notebookread": "read notebook_path",
    "ls": "read path",
    "grep": "search pattern +path +glob",
    "glob": "search pattern +path",
    "edit": "edit file_path path",
    "multiedit": "edit file_path",
    "write": "edit file_path path",
    "notebookedit": "edit notebook_path",
    "lsp": "semantic operation +filePath",
    "bash": "shell command description",
    "powershell": "shell command description",
    "webfetch": "other url",
    "websearch": "other query",
    "webreader": "other url",
    "task": "other subagent_type +description prompt",
    "agent": "other subagent_type +description prompt",
    "dispatch_agent": "other description prompt",
    "workflow": "other name description",
    "taskcreate": "other subject description",
    "taskupdate": "other taskId +status",
    "taskget": "other taskId",
    "tasklist": "other",
    "taskoutput": "other task_id",
    "taskstop": "other task_id",
    "agentoutputtool": "other agentId",
    "bashoutput": "other bash_id",
    "killbash": "other shell_id",
    "killshell": "other shell_id",
    "monitor": "other description command",
    "todowrite": "other",
    "todoread": "other",
    "skill": "other skill +args",
    "slashcommand": "other command",
    "toolsearch": "other query",
    "sendmessage": "other to recipient +summary",
    "senduserfile": "other path",
    "listagents": "other",
    "askuserquestion": "other",
    "exitplanmode": "other",
    "exit_plan_mode": "other",
    "enterplanmode": "other",
    "enterworktree": "other name",
    "exitworktree": "other",
    "batch": "batch description",
    "listmcpresourcestool": "other server",
    "readmcpresourcetool": "other uri server",
    "artifact": "other title name",
    "reportfindings": "other",
    "sleep": "other",
    "croncreate": "other cron prompt",
    "teamcreate": "other team_name",
    "teamdelete": "other team_name",
    "structuredoutput": "other",
    # Editors
    "run_in_terminal": "shell command",
    "get_terminal_output": "other id",
    "read_file": "read filePath file_path path relative_path",
    "list_dir": "read path relative_path",
    "grep_search": "search query +includePattern",
    "file_search": "search query",
    "semantic_search": "search query",
    "search_workspace": "search query",
    "replace_string_in_file": "edit filePath",
    "multi_replace_string_in_file": "edit explanation",
    "insert_edit_into_file": "edit filePath",
    "create_file": "edit filePath path",
    "create_directory": "edit dirPath path",
    "edit_file": "edit path target_file",
    "apply_patch": "edit explanation",
    "edit_notebook_file": "edit filePath",
    "list_code_usages": "semantic symbolName",
    "listcodeusages": "semantic symbolName",
    "get_errors": "semantic",
    "getdiagnostics": "semantic uri",
    "runtests": "verify",
    "run_tests": "verify",
    "runtask": "other",
    "runsubagent": "other description prompt",
    "fetch_webpage": "other query",
    "manage_todo_list": "other",
    "codebase_search": "search query",
    "run_terminal_cmd": "shell command",
    "search_replace": "edit file_path",
    "delete_file": "edit target_file path",
    "str_replace_editor": "edit path",
    "str_replace_based_edit_tool": "edit path",
    # Serena
    "find_symbol": "semantic name_path name_path_pattern +relative_path",
    "get_symbols_overview": "semantic relative_path",
    "find_referencing_symbols": "semantic name_path +relative_path",
    "find_referencing_code_snippets": "semantic name_path +relative_path",
    "find_declaration": "semantic name_path +relative_path",
    "find_implementations": "semantic name_path +relative_path",
    "replace_symbol_body": "edit name_path +relative_path",
    "insert_after_symbol": "edit name_path +relative_path",
    "insert_before_symbol": "edit name_path +relative_path",
    "rename_symbol": "edit name_path +new_name",
    "safe_delete_symbol": "edit name_path",
    "replace_regex": "edit relative_path",
    "replace_content": "edit relative_path",
    "replace_lines": "edit relative_path",
    "delete_lines": "edit relative_path",
    "insert_at_line": "edit relative_path",
    "create_text_file": "edit relative_path",
    "search_for_pattern": "search substring_pattern +relative_path",
    "find_file": "search file_mask +relative_path",
    "execute_shell_command": "shell command",
    "read_memory": "other memory_name memory_file_name",
    "write_memory": "other memory_name memory_file_name",
    "list_memories": "other",
    "delete_memory": "other memory_name memory_file_name",
    "activate_project": "other project",
    "get_current_config": "other",
    "check_onboarding_performed": "other",
    "onboarding": "other",
    "initial_instructions": "other",
    "switch_modes": "other",
    # File servers and terminals
    "read_text_file": "read path",
    "read_media_file": "read path",
    "read_multiple_files": "read paths",
    "list_directory": "read path",
    "list_directory_with_sizes": "read path",
    "directory_tree": "read path",
    "get_file_info": "read path",
    "list_allowed_directories": "other",
    "write_file": "edit path file_path",
    "move_file": "edit source +destination",
    "search_files": "search pattern query +path",
    "search_code": "search pattern +path",
    "start_search": "search pattern +path",
    "edit_block": "edit file_path",
    "start_process": "shell command",
    "execute_command": "shell command",
    "run_command": "shell command",
    "interact_with_process": "other input",
    "read_process_output": "other pid",
    "sequentialthinking": "other thought",
}

# Servers whose tools touch no file of the project, whatever the tools are named.
OTHER_SERVERS = """
    puppeteer playwright plugin_playwright_playwright claude-in-chrome chrome-devtools browser-tools browsermcp
    Claude_Preview context7 linear linear-server claude_ai_Linear github gitlab notion claude_ai_Notion memory
    gemini gemini-bridge o3 grep sequential-thinking pencil railway ref-tools-ref-tools-mcp web-search-prime
    web-reader lightrag rag-webfetch journal private-journal exa tavily firecrawl brave-search fetch slack jira
    atlassian figma supabase stripe sentry vercel zread perplexity time sqlite postgres
"""
# Servers that pass the built-in tools on under their own names.
BUILTIN_SERVERS = "acp"

# Names that are in no list, tried in this order, as regular expressions over the lower-cased name.
PATTERNS = {
    "semantic": (
        r"definition|references|documentsymbol|document_symbol|workspacesymbol|workspace_symbol|"
        r"hover|lsp|code_?usages|find_.*symbol|symbols?_overview|call_?hierarchy|"
        r"find_usages|diagnostics"
    ),
    "edit": (
        r"(write|edit|create|replace|delete|move|rename|append|insert|patch|update|"
        r"modify|save)_?(a_|to_|in_|into_|text_|the_)*(file|dir|director|lines|notebook|"
        r"symbol|string|regex|content)|str_?replace|^apply_?(patch|diff|edit)|rename_refactoring|"
        r"reformat_file"
    ),
    "verify": r"^(run_?)?(tests?|lint|linter|typecheck|build_project)$|^run_?(tests?|lint|build)",
    "search": (
        r"^(grep|rg|ripgrep)|(search|find)_?(in_)?(the_)?(code|codebase|files?|text|"
        r"regex|pattern|content|workspace|project)|glob"
    ),
    "read": (
        r"(read|view|open|get|cat|show)_?(a_|text_|the_|multiple_)*(file|notebook|"
        r"dir)|list_?(files|dir|tree)|directory_tree|file_tree"
    ),
    "shell": (
        r"^(bash|shell|terminal|powershell|cmd|sh)$|(run|execute|exec)_?(in_)?(a_|"
        r"shell_|terminal_)*(command|terminal|shell|bash|cmd)"
    ),
}

# Calls that start a sub-agent.
SPAWNS = "task agent dispatch_agent runsubagent workflow spawn_agent"

# Arguments that end in "path" and name no file.
NO_FILE = "name_path name_path_pattern xpath jsonpath json_path xpath_path"
# Arguments that name files and do not end in "path".
PATH_KEYS = """
    path file filename file_name target_file dirpath uri source destination directory dir
"""
LIST_KEYS = "targets files paths filepaths file_paths"

# Arguments that name a call whose tool is not known, best first; "*" is the first text among them.
ANY_LABEL = """
    title name query pattern url uri path file_path filePath relative_path command subject summary id
    description prompt message text *
"""
