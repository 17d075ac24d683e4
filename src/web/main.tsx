import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { FailureBoundary } from './components/Failure.tsx';
import { queryClient } from './data/query-client.ts';

createRoot(document.getElementById('root')!).render(
  <FailureBoundary name="The interface">
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </FailureBoundary>,
);
