/** The filter language in short. The server says more about a filter that is not valid. */
export const FILTER_GUIDE = `A filter is an expression in the syntax of Python.

Operators: == != < <= > >= and or not in not in is is not + - * / % and parentheses. Texts in quotes, numbers, True, False, None.
'text' in field: the field contains the text. field in ['a', 'b']: it is one of them.

Fields of spans: span_id trace_id parent_id span_kind name status_code status_message latency_ms start_time end_time
cumulative_token_count.prompt cumulative_token_count.completion cumulative_token_count.total
Attributes by dotted key: input.value output.value llm.model_name llm.token_count.prompt llm.token_count.completion
llm.token_count.total session.id user.id, or attributes['any']['key'], metadata['key'].
Annotations: annotations['name'].label, .score and .explanation. trace_annotations['name'] for those of the trace.

Examples:
span_kind == 'LLM' and latency_ms > 5000
status_code == 'ERROR' and 'timeout' in status_message
'refund' in input.value and llm.token_count.total > 1000
annotations['correctness'].label == 'incorrect'
parent_id is None and metadata['tier'] == 'paid'`;
