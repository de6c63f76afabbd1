//! Extensions and issues as Python values: dataclasses of `records.py`, or dicts in rows and in `Page.to_dict()`.

use pyo3::IntoPyObjectExt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use quick_sitemap::extension::foreign::{Attribute, Element, Node};
use quick_sitemap::extension::{ContentSegment, Platform, Price, VideoId};
use quick_sitemap::url::Url;
use quick_sitemap::{Alternate, Image, Issue, News, Video, W3cDatetime};
use quick_sitemap_arrow::message;

use crate::value;

/// The form of a value that has several fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Dataclass,
    Dict,
}

/// A value as Python has it. `None` is Python's `None`.
pub(crate) trait ToPython {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>>;
}

impl<T: ToPython> ToPython for Option<T> {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Some(value) => value.to_python(py, shape),
            None => Ok(py.None().into_bound(py)),
        }
    }
}

impl<T: ToPython + ?Sized> ToPython for &T {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
        (*self).to_python(py, shape)
    }
}

impl<T: ToPython> ToPython for [T] {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
        // Python's garbage collector looks at every list, but not at an empty tuple, nor at a dict without lists.
        if shape == Shape::Dict && self.is_empty() {
            return Ok(PyTuple::empty(py).into_any());
        }
        let list = PyList::empty(py);
        for item in self {
            list.append(item.to_python(py, shape)?)?;
        }
        if shape == Shape::Dict {
            return Ok(list.to_tuple().into_any());
        }
        Ok(list.into_any())
    }
}

impl<T: ToPython> ToPython for Vec<T> {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
        self.as_slice().to_python(py, shape)
    }
}

/// Values that are the same in every shape.
macro_rules! plain {
    ($($type:ty: |$value:ident| $convert:expr,)*) => {$(
        impl ToPython for $type {
            fn to_python<'py>(&self, py: Python<'py>, _: Shape) -> PyResult<Bound<'py, PyAny>> {
                let $value = self;
                $convert.into_bound_py_any(py)
            }
        }
    )*};
}

plain! {
    str: |text| text,
    String: |text| text.as_str(),
    Url: |url| url.as_str(),
    bool: |flag| *flag,
    u64: |number| *number,
    f64: |number| *number,
}

impl ToPython for W3cDatetime {
    fn to_python<'py>(&self, py: Python<'py>, _: Shape) -> PyResult<Bound<'py, PyAny>> {
        value::datetime(py, self.timestamp_micros())?.into_bound_py_any(py)
    }
}

impl ToPython for Node {
    fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Element(element) => element.to_python(py, shape),
            Self::Text(text) => text.to_python(py, shape),
        }
    }
}

/// The fields of each dataclass, in its order. The names are those of the structs in Arrow's columns.
macro_rules! records {
    ($($type:ty as $class:literal = |$value:ident| { $($name:literal: $take:expr,)* })*) => {$(
        impl ToPython for $type {
            fn to_python<'py>(&self, py: Python<'py>, shape: Shape) -> PyResult<Bound<'py, PyAny>> {
                static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                let $value = self;
                let fields = [$((intern!(py, $name), $take.to_python(py, shape)?),)*];
                match shape {
                    Shape::Dict => dict(py, fields),
                    Shape::Dataclass => {
                        let class = CLASS.import(py, "_quick_sitemap.records", $class)?;
                        class.call1(PyTuple::new(py, fields.map(|(_, value)| value))?)
                    }
                }
            }
        }
    )*};
}

fn dict<'py, const N: usize>(
    py: Python<'py>,
    fields: [(&Bound<'py, PyString>, Bound<'py, PyAny>); N],
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    for (name, value) in fields {
        dict.set_item(name, value)?;
    }
    Ok(dict.into_any())
}

records! {
    Alternate as "Alternate" = |alternate| {
        "hreflang": alternate.hreflang.as_str(),
        "href": alternate.href,
    }
    Image as "Image" = |image| {
        "loc": image.loc,
        "caption": image.caption,
        "geo_location": image.geo_location,
        "title": image.title,
        "license": image.license,
    }
    News as "News" = |news| {
        "publication_name": news.publication.as_ref().and_then(|publication| publication.name.as_ref()),
        "publication_language": news.publication.as_ref().and_then(|publication| publication.language.as_ref()),
        "publication_date": news.publication_date,
        "title": news.title,
        "access": news.access.as_ref().map(|access| access.as_str()),
        "genres": news.genres.iter().map(|genre| genre.as_str()).collect::<Vec<_>>(),
        "keywords": news.keywords,
        "stock_tickers": news.stock_tickers,
    }
    Video as "Video" = |video| {
        "thumbnail_loc": video.thumbnail_loc,
        "title": video.title,
        "description": video.description,
        "content_loc": video.content_loc,
        "player_loc": video.player.as_ref().map(|player| player.loc.as_str()),
        "player_allow_embed": video.player.as_ref().and_then(|player| player.allow_embed),
        "player_autoplay": video.player.as_ref().and_then(|player| player.autoplay.as_ref()),
        "duration": video.duration.map(|duration| duration.as_secs()),
        "expiration_date": video.expiration_date,
        "rating": video.rating.and_then(|rating| rating.get().to_string().parse::<f64>().ok()),
        "content_segments": video.content_segments,
        "view_count": video.view_count,
        "publication_date": video.publication_date,
        "tags": video.tags,
        "category": video.category,
        "family_friendly": video.family_friendly,
        "restriction_relationship": video.restriction.as_ref().and_then(|found| found.relationship).map(|word| word.as_str()),
        "restriction_countries": video.restriction.as_ref().map(|found| &found.countries),
        "gallery_loc": video.gallery.as_ref().map(|gallery| gallery.loc.as_str()),
        "gallery_title": video.gallery.as_ref().and_then(|gallery| gallery.title.as_ref()),
        "prices": video.prices,
        "requires_subscription": video.requires_subscription,
        "uploader_name": video.uploader.as_ref().and_then(|uploader| uploader.name.as_ref()),
        "uploader_info": video.uploader.as_ref().and_then(|uploader| uploader.info.as_ref()),
        "platform_relationship": video.platform.as_ref().and_then(|found| found.relationship).map(|word| word.as_str()),
        "platforms": video.platform.as_ref().map(|found| found.platforms.iter().map(Platform::as_str).collect::<Vec<_>>()),
        "live": video.live,
        "ids": video.ids,
        "tvshow": video.tvshow,
    }
    ContentSegment as "ContentSegment" = |segment| {
        "loc": segment.loc,
        "duration": segment.duration.map(|duration| duration.as_secs()),
    }
    Price as "Price" = |price| {
        "amount": price.amount,
        "currency": price.currency.as_deref(),
        "type": price.kind.map(|kind| kind.as_str()),
        "resolution": price.resolution.map(|resolution| resolution.as_str()),
    }
    VideoId as "VideoId" = |id| {
        "value": id.value,
        "type": id.kind.as_ref().map(|kind| kind.as_str()),
    }
    Element as "Element" = |element| {
        "name": element.name,
        "namespace": element.namespace.as_str(),
        "prefix": element.prefix,
        "attributes": element.attributes,
        "children": element.children,
    }
    Attribute as "Attribute" = |attribute| {
        "name": attribute.name,
        "namespace": attribute.namespace.as_str(),
        "value": attribute.value,
    }
    Issue as "Issue" = |issue| {
        "rule": issue.rule().name(),
        "effect": issue.effect.name(),
        "message": message(&issue.violation.to_string()),
        "line": issue.position.line(),
        "column": issue.position.column(),
        "byte": issue.position.byte(),
    }
}

/// Issues as the list class of `records.py`.
pub(crate) fn issues<'py>(py: Python<'py>, issues: &[Issue]) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "_quick_sitemap.records", "Issues")?;
    if issues.is_empty() {
        return class.call0();
    }
    class.call1((issues.to_python(py, Shape::Dataclass)?,))
}
