import { useMemo } from 'react';
import { useQuery } from '../../data/use-query.ts';
import { sessionFilterWords, spanFilterWords } from './generated/filter.ts';
import { SUGGESTIONS, type Suggestion, type Vocabulary } from './suggestions.ts';
import { quote } from './write-condition.ts';

/** Vocabulary of a project's filters. It is read once `isRequested`; before that it has the fields of every project. */
export function useVocabulary(projectId: string, kind: keyof typeof SUGGESTIONS, isRequested: boolean): Vocabulary {
  const variables = isRequested ? { id: projectId } : undefined;
  const spans = useQuery(spanFilterWords, kind === 'span' ? variables : undefined);
  const sessions = useQuery(sessionFilterWords, kind === 'session' ? variables : undefined);
  const spanNode = spans.data?.node.__typename === 'Project' ? spans.data.node : undefined;
  const sessionNode = sessions.data?.node.__typename === 'Project' ? sessions.data.node : undefined;
  return useMemo(() => {
    const known = SUGGESTIONS[kind];
    if (kind === 'run') return known;
    if (kind === 'session') {
      const terms = sessionNode?.sessionFilterVocabulary ?? [];
      const elements = new Map(
        terms.filter(({ iterableName }) => iterableName !== null).map((each) => [each.name, each]),
      );
      return {
        ...known,
        fields: terms.filter(({ iterableName }) => iterableName === null).map(toSuggestion),
        elements: [...elements.values()].map(toSuggestion),
      };
    }
    return {
      ...known,
      fields: [
        ...known.fields,
        ...(spanNode?.spanAnnotationNames ?? []).flatMap((name) => ofAnnotation('annotations', name)),
        ...(spanNode?.traceAnnotationsNames ?? []).flatMap((name) => ofAnnotation('trace_annotations', name)),
        ...(spanNode?.traceFilterVocabulary ?? [])
          .filter(({ name }) => name.startsWith('metadata['))
          .map(({ name }) => ({ text: toSubscripts(name), meaning: 'metadata key' })),
      ],
    };
  }, [kind, spanNode, sessionNode]);
}

/**
 * Converts `metadata['a.b']` to `metadata['a']['b']`: span filters read a text in brackets as one key, trace filters as
 * a path.
 */
const toSubscripts = (name: string): string => {
  const mark = name.charAt('metadata['.length);
  return name.replaceAll('.', `${mark}][${mark}`);
};

const toSuggestion = ({ name, description }: { readonly name: string; readonly description: string }): Suggestion => ({
  text: name,
  meaning: description.charAt(0).toLowerCase() + description.slice(1),
});

const ofAnnotation = (list: string, name: string): readonly Suggestion[] => [
  { text: `${list}[${quote(name)}].score`, meaning: 'annotation score' },
  { text: `${list}[${quote(name)}].label`, meaning: 'annotation label' },
  { text: `${list}[${quote(name)}]`, meaning: 'whether it has this annotation' },
];
