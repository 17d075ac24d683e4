/** The most expensive queries of the web interface. `$id` is a project; `$timeRange` its last week, or all of it. */
export const INTERFACE_QUERIES = {
  spansTable: `query($id:ID!,$timeRange:TimeRange,$filter:String){node(id:$id){...on Project{
    spans(first:100,timeRange:$timeRange,filterCondition:$filter,sort:{col:startTime,dir:desc}){
      pageInfo{hasNextPage endCursor} edges{cursor node{
        id name spanKind statusCode statusMessage startTime endTime latencyMs parentId spanId
        tokenCountTotal tokenCountPrompt tokenCountCompletion cumulativeTokenCountTotal propagatedStatusCode
        context{traceId spanId} input{truncatedValue mimeType} output{truncatedValue mimeType}
        costSummary{total{cost tokens}} trace{id traceId numSpans latencyMs}
        spanAnnotations{id name label score annotatorKind} spanAnnotationSummaries{name meanScore labelFractions{label fraction}}
        userId numChildSpans metadata}}}}}}`,
  projectHeader: `query($id:ID!,$timeRange:TimeRange!){node(id:$id){...on Project{
    id name traceCount(timeRange:$timeRange) recordCount(timeRange:$timeRange)
    p50:latencyMsQuantile(probability:0.5,timeRange:$timeRange) p99:latencyMsQuantile(probability:0.99,timeRange:$timeRange)
    tokenCountTotal(timeRange:$timeRange) costSummary(timeRange:$timeRange){total{cost} prompt{cost} completion{cost}}
    spanAnnotationNames documentEvaluationNames spanAnnotationSummary(annotationName:"quality",timeRange:$timeRange){
      meanScore labelFractions{label fraction}}}}}`,
  timeSeries: `query($id:ID!,$timeRange:TimeRange!){node(id:$id){...on Project{
    traceCountByStatusTimeSeries(timeRange:$timeRange,timeBinConfig:{scale:HOUR}){data{timestamp okCount errorCount totalCount}}}}}`,
  sessionsTable: `query($id:ID!,$timeRange:TimeRange){node(id:$id){...on Project{
    sessions(first:100,timeRange:$timeRange,sort:{col:startTime,dir:desc}){pageInfo{hasNextPage endCursor} edges{cursor node{
      id sessionId startTime endTime numTraces numTracesWithError userId tokenUsage{total} costSummary{total{cost}}
      firstInput{truncatedValue} lastOutput{truncatedValue} traceLatencyMsQuantile(probability:0.5)
      sessionAnnotationSummaries{name meanScore}}}}}}}`,
  trace: `query($id:ID!,$traceId:ID!){node(id:$id){...on Project{trace(traceId:$traceId){
    id traceId numSpans latencyMs errorCount costSummary{total{cost}} traceAnnotationSummaries{name meanScore}
    chains:spans(first:1000,filterCondition:"span_kind == 'CHAIN'"){edges{node{...inTree}}}
    tools:spans(first:1000,filterCondition:"span_kind == 'TOOL'"){edges{node{...inTree}}}}}}}
    fragment inTree on Span{id spanId parentId name spanKind statusCode startTime latencyMs tokenCountTotal
      cumulativeTokenCountTotal costSummary{total{cost}} spanAnnotationSummaries{name meanScore labelFractions{label fraction}}}`,
} as const;
