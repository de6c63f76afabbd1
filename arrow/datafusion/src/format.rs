use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::Statistics;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::object_store::{ObjectMeta, ObjectStore};
use datafusion::physical_plan::ExecutionPlan;
use quick_sitemap_arrow::{BatchesBuilder, Column};

use crate::source::SitemapSource;

/// Sitemaps as a format of `ListingTable`: XML, text, RSS and Atom, gzipped or not. The format is detected from the
/// content, not from the name. The schema has every [`Column`]; columns that a query does not use are not decoded.
///
/// # Examples
///
/// ```
/// use datafusion::datasource::file_format::FileFormat;
/// use quick_sitemap_arrow::{BatchesBuilder, Fatal};
/// use quick_sitemap_datafusion::SitemapFormat;
///
/// // Whatever a file is, its errors are rows; here the first one ends the query instead.
/// let format = SitemapFormat::new(BatchesBuilder::new().fatal(Fatal::Raise));
/// assert_eq!(format.schema().fields().len(), 15);
/// assert_eq!(format.get_ext(), "");
/// ```
#[derive(Debug, Clone)]
pub struct SitemapFormat {
    options: BatchesBuilder,
}

impl Default for SitemapFormat {
    /// Uses the defaults: errors as rows, a lenient reader, and text as views, as DataFusion reads its own formats.
    fn default() -> Self {
        Self::new(BatchesBuilder::new().string_views(true))
    }
}

impl SitemapFormat {
    /// Uses custom options. Their columns, rows per batch and source have no effect, because the engine sets them.
    #[must_use]
    pub fn new(options: BatchesBuilder) -> Self {
        Self { options }
    }

    /// The columns that a table has.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let options = self.options.clone();
        options
            .columns(Column::ALL.iter().copied())
            .decoder()
            .schema()
    }
}

#[async_trait]
impl FileFormat for SitemapFormat {
    /// There is no extension: sitemaps have names such as `.xml`, `.xml.gz`, `.txt` and `.php`.
    fn get_ext(&self) -> String {
        String::new()
    }

    fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    /// The schema is the same for all files, so none is read for it.
    async fn infer_schema(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        Ok(self.schema())
    }

    /// The statistics are unknown, because only reading to the end would determine them.
    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&table_schema))
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if let Some(source) = config.file_source().downcast_ref::<SitemapSource>() {
            source.columns()?;
        }
        Ok(DataSourceExec::from_data_source(config))
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(SitemapSource::new(table_schema, self.options.clone()))
    }
}
